"""Data files of the engine: rule presets, read through importlib.resources."""
