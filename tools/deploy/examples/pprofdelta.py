# SPDX-License-Identifier: Apache-2.0
"""Deltas, diffs, sums and reports of pprof profiles, by libpprofdelta.

    import pprofdelta

    with pprofdelta.Computer() as computer:
        for name in ("1.pb.gz", "2.pb.gz"):
            with open(name, "rb") as file:
                delta, summary = computer.compute(file.read())
    with open("delta.pb.gz", "wb") as file:
        file.write(pprofdelta.encode(delta))

This one file is all there is: copy it beside your program. It needs the shared library,
libpprofdelta.so.1, where the loader finds it, or at the path in PPROFDELTA_LIBRARY, and Python 3.7
or later.

A profile is the content of a file: gzip, zstd, protobuf or text, as bytes. What is given back is
an uncompressed profile, as bytes of Python's; encode() compresses it. Options are those of
pprofdelta_options_set() in pprofdelta.h, with "_" for "-": numbers, texts, True and False, or lists
of texts for those that can be repeated:

    pprofdelta.diff(before, now, match="function")
    pprofdelta.report(before, now, by="file", limit=["alloc_space>+10%"])

What fails raises Error, or TypeError for what is no profile at all, and changes nothing. A Computer
or a Sum may be used by one thread at a time.
"""

import collections
import ctypes
import os

__all__ = ["Computer", "Error", "Sum", "Summary", "SumSummary", "decode", "delta", "diff",
           "encode", "normalize", "report", "version"]


class _Error(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int), ("input", ctypes.c_int), ("offset", ctypes.c_int64),
                ("message", ctypes.c_char * 1024)]


class _View(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("size", ctypes.c_size_t)]

    def copied(self):
        """The content as bytes of Python's, which stay what they are."""
        return ctypes.string_at(self.data, self.size) if self.size else b""


class _Summary(ctypes.Structure):
    _fields_ = [("samples_in", ctypes.c_uint64), ("samples_kept", ctypes.c_uint64),
                ("time_nanos", ctypes.c_int64), ("duration_nanos", ctypes.c_int64),
                ("first", ctypes.c_int32), ("reset", ctypes.c_int32),
                ("out_of_order", ctypes.c_int32), ("previous_has_duration", ctypes.c_int32),
                ("reset_reason", ctypes.c_int32), ("other_program", ctypes.c_int32),
                ("process_returned", ctypes.c_int32), ("starts_over_each_time", ctypes.c_int32),
                ("negative_samples", ctypes.c_uint64)]


class _SumSummary(ctypes.Structure):
    _fields_ = [("profiles", ctypes.c_uint64), ("samples_in", ctypes.c_uint64),
                ("samples_out", ctypes.c_uint64), ("time_nanos", ctypes.c_int64),
                ("duration_nanos", ctypes.c_int64)]


class _ReportInput(ctypes.Structure):
    _fields_ = [("profile", ctypes.c_void_p), ("size", ctypes.c_size_t),
                ("source", ctypes.c_int), ("name", ctypes.c_char_p)]


#: What compute() and diff() found; pprofdelta_summary in pprofdelta.h.
Summary = collections.namedtuple("Summary", [name for name, _ in _Summary._fields_])
#: What a sum is made of; pprofdelta_sum_summary in pprofdelta.h.
SumSummary = collections.namedtuple("SumSummary", [name for name, _ in _SumSummary._fields_])

_INPUTS = (None, "previous", "current", "both", "state")
_CODECS = {"none": 0, "gzip": 1, "zstd": 2}
_NORMALIZATIONS = {"total": 0, "duration": 1}

_HANDLE = ctypes.c_void_p
_BYTES = (ctypes.c_char_p, ctypes.c_size_t)
_VIEW = ctypes.POINTER(_View)
_ERROR = ctypes.POINTER(_Error)
_REPORT_INPUT = ctypes.POINTER(_ReportInput)

# Each function with its result, if that is not a status, and its arguments but the last, which is
# an error wherever there is a status.
_FUNCTIONS = {
    "version": (ctypes.c_char_p,),
    "status_name": (ctypes.c_char_p, ctypes.c_int),
    "options_new": (_HANDLE,),
    "options_set": (None, _HANDLE, ctypes.c_char_p, ctypes.c_char_p),
    "options_free": ("nothing", _HANDLE),
    "buffer_new": (_HANDLE,),
    "buffer_free": ("nothing", _HANDLE),
    "decode": (None, *_BYTES, ctypes.c_size_t, _HANDLE, _VIEW, ctypes.POINTER(ctypes.c_int)),
    "encode": (None, *_BYTES, ctypes.c_int, ctypes.c_int, _HANDLE, _VIEW),
    "computer_new": (None, _HANDLE, ctypes.POINTER(_HANDLE)),
    "computer_compute": (None, _HANDLE, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, _VIEW,
                         ctypes.POINTER(_Summary)),
    "computer_prime": (None, _HANDLE, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int),
    "computer_has_previous": (ctypes.c_int, _HANDLE),
    "computer_save": (None, _HANDLE, _VIEW),
    "computer_load": (None, _HANDLE, *_BYTES),
    "computer_free": ("nothing", _HANDLE),
    "diff": (None, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t, _HANDLE,
             _HANDLE, _VIEW, ctypes.POINTER(_Summary)),
    "normalize": (None, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t,
                  ctypes.c_int, _HANDLE, _VIEW),
    "sum_new": (None, _HANDLE, ctypes.POINTER(_HANDLE)),
    "sum_add": (None, _HANDLE, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_double),
    "sum_finish": (None, _HANDLE, _VIEW, ctypes.POINTER(_SumSummary)),
    "sum_finish_mean": (None, _HANDLE, _VIEW, ctypes.POINTER(_SumSummary)),
    "sum_free": ("nothing", _HANDLE),
    "report_on": (None, _REPORT_INPUT, _REPORT_INPUT, _HANDLE, _HANDLE, _VIEW),
}


class Error(Exception):
    """A failure of the library."""

    def __init__(self, error):
        super().__init__(error.message.decode("utf-8", "replace"))
        #: What went wrong, as pprofdelta.h numbers it; the last digit is the exit status of
        #: pprofdelta(1).
        self.status = error.status
        #: The same as a word, such as "malformed".
        self.kind = _library.status_name(error.status).decode()
        #: Which input it is about: "previous", "current", "both" or "state"; None if there is one.
        self.input = _INPUTS[error.input]
        #: Where in the input the fault lies, in bytes; None where no single place is to blame.
        self.offset = error.offset if error.offset >= 0 else None


class _Library:
    """The functions of pprofdelta.h without their prefix. Those with a status raise Error."""

    def __init__(self):
        library = ctypes.CDLL(os.environ.get("PPROFDELTA_LIBRARY", "libpprofdelta.so.1"))
        for name, (result, *arguments) in _FUNCTIONS.items():
            function = getattr(library, "pprofdelta_" + name)
            function.restype = {None: ctypes.c_int, "nothing": None}.get(result, result)
            function.argtypes = arguments if result else [*arguments, _ERROR]
            setattr(self, name, function if result else self._raising(function))

    @staticmethod
    def _raising(function):
        def call(*arguments):
            error = _Error()
            if function(*arguments, ctypes.byref(error)):
                raise Error(error)
        return call


_library = _Library()


class _Owner:
    """Has a handle, which is freed at the end of a `with`, by close(), or with the object."""

    _handle = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        self.close()

    def close(self):
        """Frees what the library holds. Nothing else can be called afterwards."""
        handle, self._handle = self._handle, None
        if handle:
            self._free(handle)

    def _open(self):
        if not self._handle:
            raise ValueError("it is closed")
        return self._handle


class _Buffer(_Owner):
    _free = staticmethod(_library.buffer_free)

    def __init__(self):
        self._handle = _library.buffer_new()
        if not self._handle:
            raise MemoryError

    def view(self, call, *arguments):
        """The bytes that `call` leaves in the buffer."""
        result = _View()
        call(*arguments, self._open(), ctypes.byref(result))
        return result.copied()


class _Options(_Owner):
    _free = staticmethod(_library.options_free)

    def __init__(self, options):
        self._handle = _library.options_new()
        if not self._handle:
            raise MemoryError
        for name, value in options.items():
            for each in value if isinstance(value, (list, tuple)) else [value]:
                text = {True: "yes", False: "no"}[each] if isinstance(each, bool) else str(each)
                _library.options_set(self._open(), name.replace("_", "-").encode(), text.encode())

    handle = property(_Owner._open)


class _Profile(_Buffer):
    """The content of a file, uncompressed."""

    def __init__(self, file, max_size=0):
        if not isinstance(file, bytes):
            raise TypeError("a profile is bytes, not " + type(file).__name__)
        super().__init__()
        self._file = file  # which the view may be of
        self._view = _View()
        source = ctypes.c_int()
        _library.decode(file, len(file), max_size, self._open(), ctypes.byref(self._view),
                        ctypes.byref(source))
        self.source = source.value
        #: Its first byte and its size, for the library.
        self.bytes = (self._view.data, self._view.size)


def _made(new, options):
    """The handle that `new` makes with these options."""
    handle = _HANDLE()
    with _Options(options) as chosen:
        new(chosen.handle, ctypes.byref(handle))
    return handle.value


def _fields(summary, kind):
    return kind(*(getattr(summary, name) for name in kind._fields))


class Computer(_Owner):
    """Deltas of a series of profiles: delta_computer in delta.hpp."""

    _free = staticmethod(_library.computer_free)

    def __init__(self, **options):
        self._handle = _made(_library.computer_new, options)

    def compute(self, profile):
        """The delta from the profile before, and a Summary. This one is then the one before."""
        view, summary = _View(), _Summary()
        with _Profile(profile) as given:
            _library.computer_compute(self._open(), *given.bytes, given.source,
                                      ctypes.byref(view), ctypes.byref(summary))
        return view.copied(), _fields(summary, Summary)

    def prime(self, profile):
        """Makes this profile the one before, without a delta."""
        with _Profile(profile) as given:
            _library.computer_prime(self._open(), *given.bytes, given.source)

    @property
    def has_previous(self):
        """Whether there is a profile before."""
        return bool(_library.computer_has_previous(self._open()))

    def save(self):
        """The state that load() needs to go on from here, also in another process; as bytes."""
        view = _View()
        _library.computer_save(self._open(), ctypes.byref(view))
        return view.copied()

    def load(self, state):
        """Takes the place of the computer that was saved, which had the same options."""
        if not isinstance(state, bytes):
            raise TypeError("a state is bytes, not " + type(state).__name__)
        _library.computer_load(self._open(), state, len(state))


class Sum(_Owner):
    """Sums and means of any number of profiles: profile_sum in merge.hpp."""

    _free = staticmethod(_library.sum_free)

    def __init__(self, **options):
        self._handle = _made(_library.sum_new, options)

    def add(self, profile, weight=1.0):
        """Adds a profile, whose values are multiplied by the weight."""
        with _Profile(profile) as given:
            _library.sum_add(self._open(), *given.bytes, weight)

    def finish(self, mean=False):
        """The sum of what was added so far, or its mean, and a SumSummary."""
        view, summary = _View(), _SumSummary()
        write = _library.sum_finish_mean if mean else _library.sum_finish
        write(self._open(), ctypes.byref(view), ctypes.byref(summary))
        return view.copied(), _fields(summary, SumSummary)


def version():
    """The version of the library: "MAJOR.MINOR.PATCH"."""
    return _library.version().decode()


def encode(profile, codec="gzip", level=-1):
    """Compresses bytes: codec is "gzip", "zstd" or "none", and a level of -1 the usual one."""
    with _Buffer() as storage:
        return storage.view(_library.encode, profile, len(profile), _CODECS[codec], level)


def decode(file, max_size=0):
    """The uncompressed profile that is in the content of a file, of at most so many bytes."""
    with _Profile(file, max_size) as profile:
        return ctypes.string_at(*profile.bytes)


def delta(previous, current, **options):
    """The delta of two profiles, and a Summary."""
    with Computer(**options) as computer:
        computer.prime(previous)
        return computer.compute(current)


def diff(previous, current, **options):
    """The difference of two independent captures, and a Summary."""
    view, summary = _View(), _Summary()
    with _Profile(previous) as before, _Profile(current) as now, _Options(options) as chosen, \
            _Buffer() as storage:
        _library.diff(*before.bytes, *now.bytes, chosen.handle, storage._open(),
                      ctypes.byref(view), ctypes.byref(summary))
        return view.copied(), _fields(summary, Summary)


def normalize(previous, current, by="total"):
    """The previous profile, scaled to the current one by its "total" or its "duration"."""
    with _Profile(previous) as before, _Profile(current) as now, _Buffer() as storage:
        return storage.view(_library.normalize, *before.bytes, *now.bytes, _NORMALIZATIONS[by])


def report(previous, current, names=("previous", "current"), **options):
    """The largest changes, as JSON: what `pprofdelta report --format json` prints for files of
    these names, less `summary`, `causes`, `rest` and `next`. Without a previous profile, which is
    None, it is what there is in the current one."""
    with _Profile(previous or b"") as before, _Profile(current) as now, \
            _Options(options) as chosen, _Buffer() as storage:
        inputs = [_ReportInput(*profile.bytes, profile.source, name.encode())
                  for profile, name in zip((before, now), names)]
        return storage.view(_library.report_on, inputs[0] if previous is not None else None,
                            inputs[1], chosen.handle).decode()
