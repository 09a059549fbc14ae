"""The numba kernel: integers in, integers out. Importing this package alone does not import numba."""
