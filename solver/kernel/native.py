"""Entries as machine code: compiled once by numba, kept as object files, loaded by llvmlite alone.

Importing numba and readying its type system takes longer than most analyses, so a warm start goes without: numba
compiles each entry as a C callback, llvmlite turns the callback's optimized LLVM code into an object file, and later
runs only link that file. What makes this possible is that kernel code allocates no memory and raises nothing; the
numba helper functions it still names for those cases are bound to one that reports and stops.
"""

from __future__ import annotations

import ctypes
import os
import re
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from threading import RLock
from typing import Any

import llvmlite.binding as llvm

from .cache import cache_directory
from .jit import INT, INTS2, TYPES, Entry, Inner

_OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}
_NAME = b"sixtysix_entry"
_lock = RLock()


def load(entry: Entry) -> Callable[..., int]:
    """The compiled form of an entry: arrays as address and lengths. Compiles it if the cache does not have it."""
    with _lock:
        code = _cached(entry)
        if code is None:
            code = _compile(entry)
            _keep(entry, code)
        return _link(entry, code)


def is_cached(entry: Entry) -> bool:
    """Whether the entry can be loaded without compiling."""
    path = _path(entry)
    return path is not None and path.exists()


def _path(entry: Entry) -> Path | None:
    directory = cache_directory()
    return None if directory is None else directory / f"{entry.name}.o"


def _cached(entry: Entry) -> bytes | None:
    path = _path(entry)
    try:
        code = path.read_bytes() if path else b""
    except OSError:
        return None
    return code if code.startswith(_NAME) else None


def _keep(entry: Entry, code: bytes) -> None:
    """Write the object file under its name in one step, as other processes may be reading or writing it too."""
    path = _path(entry)
    if path is None:
        return
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
            file.write(code)
        os.replace(file.name, path)
    except OSError:
        return  # a full disk only means compiling again


@cache
def _machine() -> llvm.TargetMachine:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=3, jit=True
    )


_engines: list[Any] = []  # keep the code alive


def _link(entry: Entry, code: bytes) -> Callable[..., int]:
    """Load an object file, as made by `_compile`, and return its entry as a ctypes function that releases the GIL."""
    head, _, body = code.partition(b"\0")
    machine = _machine()
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    for name in head.decode().split()[2:]:
        if llvm.address_of_symbol(name) is None:
            llvm.add_symbol(name, _stop_address())
    engine.add_object_file(llvm.ObjectFileRef.from_data(body))
    engine.finalize_object()
    address = engine.get_function_address(head.decode().split()[1])
    _engines.append(engine)
    arguments = [kind for parameter in entry.parameters for kind in _c_types(parameter)]
    return ctypes.CFUNCTYPE(ctypes.c_int64, *arguments)(address)


def _c_types(parameter: str) -> list[Any]:
    if parameter == INT:
        return [ctypes.c_int64]
    return [ctypes.c_void_p] + [ctypes.c_int64] * (2 if parameter == INTS2 else 1)


@ctypes.CFUNCTYPE(None)
def _stop() -> None:
    print("sixtysix: the compiled kernel met a case it was built to exclude", file=sys.stderr, flush=True)
    os.abort()


def _stop_address() -> int:
    return ctypes.cast(_stop, ctypes.c_void_p).value or 0


def _compiled_form(marked: Inner) -> Any:
    import numba
    from numba.extending import intrinsic

    if marked.intrinsic:
        return intrinsic(marked.function)
    return numba.njit(**_OPTIONS, inline="always" if marked.inline else "never")(marked.function)


def materialize() -> None:
    """Hand every marked kernel function to numba: from here on the modules' names mean compiled functions."""
    made: dict[int, Any] = {}
    package = __name__.rpartition(".")[0]
    for module in [m for name, m in list(sys.modules.items()) if name.startswith(package + ".")]:
        for name, value in list(vars(module).items()):
            if isinstance(value, Inner):
                if id(value) not in made:
                    made[id(value)] = (_compiled_form(value), value)
                setattr(module, name, made[id(value)][0])


def _compile(entry: Entry) -> bytes:
    """The object file of an entry, after a line with its symbol and the helper functions it names."""
    import numba
    from numba import types
    from numba.core.types import CPointer
    from numba.np.numpy_support import carray

    materialize()
    core = numba.njit(**_OPTIONS)(entry.function)
    names: list[str] = []
    signature: list[Any] = []
    values: list[str] = []
    for i, parameter in enumerate(entry.parameters):
        if parameter == INT:
            names.append(f"x{i}")
            signature.append(types.int64)
            values.append(f"x{i}")
            continue
        lengths = [f"n{i}", f"m{i}"] if parameter == INTS2 else [f"n{i}"]
        names += [f"p{i}", *lengths]
        signature += [CPointer(getattr(types, TYPES[parameter])), *[types.int64] * len(lengths)]
        values.append(f"carray(p{i}, ({', '.join(lengths)},))")
    # The callback's parameters depend on the entry, so its one line is written here.
    scope: dict[str, Any] = {"core": core, "carray": carray}
    exec(f"def callback({', '.join(names)}): return core({', '.join(values)})", scope)
    callback = numba.cfunc(types.int64(*signature), error_model="numpy")(scope["callback"])
    text = callback.inspect_llvm()
    missing = re.findall(r"^declare [^@]*@((?:numba_|NRT_)\w+)", text, re.MULTILINE)
    if any("alloc" in name.lower() for name in missing):
        raise RuntimeError(f"{entry.name}: kernel code must not allocate memory ({', '.join(missing)})")
    body: bytes = _machine().emit_object(llvm.parse_assembly(text))
    return b" ".join([_NAME, callback.native_name.encode(), *(name.encode() for name in missing)]) + b"\0" + body
