// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_TEXT_DROPPED_FRAMES_HPP
#define PPROFDELTA_SRC_TEXT_DROPPED_FRAMES_HPP

#include <string_view>

namespace pprofdelta {

// Regular expressions for Profile.drop_frames and keep_frames. Readers hide what was called by
// functions with such names, and these themselves: it is the profiler, or the allocator, at work.
// Text profiles do not say them. They are those that google/pprof gives them
// (addLegacyFrameInfo of profile/legacy_profile.go).

inline constexpr std::string_view allocator_frames =
    // The C library's interface.
    "calloc|cfree|malloc|free|memalign|do_memalign|(__)?posix_memalign|pvalloc|valloc|realloc|"
    // tcmalloc.
    "tcmalloc::.*|tc_calloc|tc_cfree|tc_malloc|tc_free|tc_memalign|tc_posix_memalign|tc_pvalloc|"
    "tc_valloc|tc_realloc|tc_new|tc_delete|tc_newarray|tc_deletearray|tc_new_nothrow|"
    "tc_newarray_nothrow|"
    // macOS.
    "malloc_zone_malloc|malloc_zone_calloc|malloc_zone_valloc|malloc_zone_realloc|"
    "malloc_zone_memalign|malloc_zone_free|"
    // Go.
    "runtime\\..*|"
    // Others, and the C++ library.
    "BaseArena::.*|(::)?do_malloc_no_errno|(::)?do_malloc_pages|(::)?do_malloc|"
    "DoSampledAllocation|MallocedMemBlock::MallocedMemBlock|_M_allocate|__builtin_(vec_)?delete|"
    "__builtin_(vec_)?new|__gnu_cxx::new_allocator::allocate|__libc_malloc|"
    "__malloc_alloc_template::allocate|allocate|cpp_alloc|operator new(\\[\\])?|"
    "simple_alloc::allocate";

/// Functions of Go's runtime in the middle of a stack, which are worth seeing.
inline constexpr std::string_view kept_runtime_frames =
    "runtime\\.panic|runtime\\.reflectcall|runtime\\.call[0-9]*";

inline constexpr std::string_view lock_frames =
    "RecordLockProfileData|(base::)?RecordLockProfileData.*|(base::)?SubmitMutexProfileData.*|"
    "(base::)?SubmitSpinLockProfileData.*|(base::Mutex::)?AwaitCommon.*|(base::Mutex::)?Unlock.*|"
    "(base::Mutex::)?UnlockSlow.*|(base::Mutex::)?ReaderUnlock.*|(base::MutexLock::)?~MutexLock.*|"
    "(Mutex::)?AwaitCommon.*|(Mutex::)?Unlock.*|(Mutex::)?UnlockSlow.*|(Mutex::)?ReaderUnlock.*|"
    "(MutexLock::)?~MutexLock.*|(SpinLock::)?Unlock.*|(SpinLock::)?SlowUnlock.*|"
    "(SpinLockHolder::)?~SpinLockHolder.*";

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_TEXT_DROPPED_FRAMES_HPP
