"""Data files of the engine: rule presets and matches on record, read through importlib.resources."""
