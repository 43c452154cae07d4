// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_PPROFDELTA_H
#define PPROFDELTA_PPROFDELTA_H

#include <stddef.h>
#include <stdint.h>

/// The library in C99, for C and for every language that can call it. The C++ headers beside this
/// one define what is computed; this header defines the calls. pprofdelta-c(7) has examples.
///
/// - A profile is the serialized, uncompressed Profile message of profile.proto, given as a pointer
///   to its first byte and its size in bytes. It is needed only during the call. The pointer may be
///   null if the size is 0. pprofdelta_decode() makes a profile from the bytes of a file.
/// - A result is a view of memory that a handle owns, so nothing is copied. It is valid until the
///   handle is used in another call or freed, and must not be an input of a call on that handle.
///   Handles keep their memory for the next call.
/// - A call that can fail returns a status, and fills `error`, unless that is null, also on
///   success. After a failure nothing has changed: views are empty, other results are as before,
///   and the handle is as if the call had not been made.
/// - No C++ exception leaves a call, and none ends the process, even when memory runs out.
/// - Parameters that take one of several constants are ints, so that any other number is an error.
/// - A null handle, result or text is an error unless a comment says "may be null"; null can be
///   freed.
/// - A handle may be used by one thread at a time, and by different threads in turn. Different
///   handles are independent. Options may be used by several threads as long as none changes them.

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// The category of an error, which tells what a caller can do about it; error_kind in error.hpp.
/// The last decimal digit is the exit status of pprofdelta(1). More may be added.
typedef enum pprofdelta_status {
    PPROFDELTA_OK = 0,
    /// An argument is wrong whatever the inputs are, or the call comes too early.
    PPROFDELTA_INVALID_ARGUMENT = 2,
    PPROFDELTA_MALFORMED = 3,           ///< The bytes are not a valid profile, state or archive.
    PPROFDELTA_INCOMPATIBLE = 4,        ///< Each input is valid, but they do not go together.
    PPROFDELTA_OUT_OF_MEMORY = 5,       ///< The same call may succeed later.
    PPROFDELTA_TOO_LARGE = 13,          ///< A size limit was exceeded.
    PPROFDELTA_NO_CUMULATIVE_TYPE = 14, ///< There is nothing to subtract; see "cumulative".
    PPROFDELTA_RESET = 24,              ///< A counter reset was found, and "on-reset" is "error".
    PPROFDELTA_INTERNAL = 15            ///< A fault of the library.
} pprofdelta_status;

/// The input that an error is about; error_input in error.hpp.
typedef enum pprofdelta_input {
    PPROFDELTA_INPUT_UNSPECIFIED = 0, ///< The only input of the call, or an argument.
    PPROFDELTA_INPUT_PREVIOUS = 1,
    PPROFDELTA_INPUT_CURRENT = 2,
    PPROFDELTA_INPUT_BOTH = 3,
    PPROFDELTA_INPUT_STATE = 4
} pprofdelta_input;

/// The outcome of a call. It belongs to the caller, and not to a thread, since some languages move
/// a caller to another thread between two calls.
typedef struct pprofdelta_error {
    pprofdelta_status status;
    pprofdelta_input input;
    /// The place of the fault in the input, in bytes; -1 if no single place is to blame.
    int64_t offset;
    /// One line without control characters, zero-terminated; empty after success. Longer messages
    /// are truncated.
    char message[1024];
} pprofdelta_error;

/// Bytes owned by a handle or by the caller. Texts are followed by a zero byte.
typedef struct pprofdelta_view {
    const char* data; ///< Null if there are none.
    size_t size;
} pprofdelta_view;

/// Returns "MAJOR.MINOR.PATCH"; a string with static lifetime.
const char* pprofdelta_version(void);

/// Returns the word for a status, such as "malformed", or "unknown" for any other number; a string
/// with static lifetime.
const char* pprofdelta_status_name(int status);

// ---- Options ----

/// Options of computations. All calls that take options accept null, for the defaults, use the
/// options that apply to them, and copy what they need.
typedef struct pprofdelta_options pprofdelta_options;

/// Creates options; null if there is not enough memory.
pprofdelta_options* pprofdelta_options_new(void);

/// Sets an option, or adds a value to an option marked with +. The names and values are those of
/// pprofdelta(1); flags are "yes" or "no".
///
/// | of deltas and diffs | value |
/// | --- | --- |
/// | cumulative +, gauge +, interval + | a sample type, or TYPE/UNIT |
/// | match | exact, line, function |
/// | on-reset | emit, drop, error, negative |
/// | first | emit, skip |
/// | drop-negative | a flag |
/// | threads | a number from 1 to 64; default 1 |
///
/// | of sums, besides match, cumulative, gauge and interval | value |
/// | --- | --- |
/// | levels | sum, last, mean, max: as in merge.hpp |
/// | keep-type +, drop-label + | as in merge.hpp |
/// | drop-lines, for-pgo | flags |
///
/// | of sums and reports | value |
/// | --- | --- |
/// | focus, ignore, hide, show-from | regular expressions, as in stack_selection of report.hpp |
/// | label +, no-label +, rename +, label-root + | as in stack_selection |
/// | fold-allocators | a flag, as in stack_selection |
///
/// | of reports, besides those of deltas | value |
/// | --- | --- |
/// | diff | a flag: compare two captures |
/// | by | function, file, package, line, size, label:KEY |
/// | order | flat, cum, percent |
/// | sample-type | a sample type, or TYPE/UNIT |
/// | top | the largest number of rows; default 20 |
/// | limit +, min-amount | as in limits.hpp |
///
/// Fails with PPROFDELTA_INVALID_ARGUMENT for an unknown option or an invalid value.
pprofdelta_status pprofdelta_options_set(pprofdelta_options* options, const char* name,
                                         const char* value, pprofdelta_error* error);

/// Frees options, which may be null.
void pprofdelta_options_free(pprofdelta_options* options);

// ---- Memory for results ----

/// Owns the results of calls without another handle, one at a time.
typedef struct pprofdelta_buffer pprofdelta_buffer;

/// Creates a buffer; null if there is not enough memory.
pprofdelta_buffer* pprofdelta_buffer_new(void);

/// Frees a buffer, which may be null.
void pprofdelta_buffer_free(pprofdelta_buffer* buffer);

// ---- Files ----

/// The format that a profile was converted from; profile_source in delta.hpp. Profiles with
/// different sources do not go together.
typedef enum pprofdelta_source {
    PPROFDELTA_SOURCE_PROTOBUF = 0,
    PPROFDELTA_SOURCE_TEXT = 1,
    PPROFDELTA_SOURCE_OTLP = 2
} pprofdelta_source;

typedef enum pprofdelta_codec {
    PPROFDELTA_CODEC_NONE = 0,
    PPROFDELTA_CODEC_GZIP = 1,
    PPROFDELTA_CODEC_ZSTD = 2
} pprofdelta_codec;

/// The default level of pprofdelta_encode().
#define PPROFDELTA_DEFAULT_LEVEL (-1)

/// Makes a profile from the bytes of a file: uncompresses gzip and zstd, and converts the text
/// profiles of text_profile.hpp and the OTLP profiles of otlp_profile.hpp.
///
/// @param max_size the largest size of the profile, in bytes, checked during decompression; 0 for 2
///                 GiB, which is always the limit.
/// @param profile  receives the profile, in `storage`, or as `bytes` themselves if there is nothing
///                 to do. `bytes` must therefore outlive its use.
/// @param source   receives the format of the bytes; may be null.
///
/// Fails with PPROFDELTA_MALFORMED or PPROFDELTA_TOO_LARGE. Linear in the profile. The content of
/// the profile is not checked.
pprofdelta_status pprofdelta_decode(const void* bytes, size_t size, size_t max_size,
                                    pprofdelta_buffer* storage, pprofdelta_view* profile,
                                    pprofdelta_source* source, pprofdelta_error* error);

/// Compresses bytes. The same bytes, codec, level and libraries give the same result.
///
/// @param to    a pprofdelta_codec.
/// @param level 0 to 9 for gzip, 1 to 19 for zstd, or PPROFDELTA_DEFAULT_LEVEL. Ignored for
///              PPROFDELTA_CODEC_NONE.
///
/// Fails with PPROFDELTA_INVALID_ARGUMENT.
pprofdelta_status pprofdelta_encode(const void* bytes, size_t size, int to, int level,
                                    pprofdelta_buffer* storage, pprofdelta_view* encoded,
                                    pprofdelta_error* error);

// ---- Deltas of a series of profiles ----

/// The evidence for a counter reset; reset_reason in delta.hpp.
typedef enum pprofdelta_reset_reason {
    PPROFDELTA_RESET_REASON_NONE = 0,
    PPROFDELTA_RESET_REASON_PROCESS = 1,  ///< It is another process, for certain.
    PPROFDELTA_RESET_REASON_COUNTERS = 2, ///< Values fell.
    PPROFDELTA_RESET_REASON_SIBLING = 3,  ///< Another process has the same addresses.
    PPROFDELTA_RESET_REASON_SAMPLES = 4,  ///< No sample is as before: names or labels changed.
    PPROFDELTA_RESET_REASON_PERIOD = 5    ///< jemalloc started over with another period.
} pprofdelta_reset_reason;

/// The findings of a call; delta_summary in delta.hpp.
typedef struct pprofdelta_summary {
    uint64_t samples_in;    ///< The number of samples in the profile, with duplicates.
    uint64_t samples_kept;  ///< The number of samples in the delta.
    int64_t time_nanos;     ///< The delta's time, in nanoseconds since 1970; 0 if unknown.
    int64_t duration_nanos; ///< The time that the delta covers; 0 if unknown, or a diff.
    // Each of these is 0 or 1.
    int32_t first;                 ///< There was nothing to subtract.
    int32_t reset;                 ///< A counter reset was found.
    int32_t out_of_order;          ///< The previous profile has the later time.
    int32_t previous_has_duration; ///< The previous profile may be a delta.
    int32_t reset_reason;          ///< A pprofdelta_reset_reason.
    int32_t other_program;         ///< The previous process ran another program.
    int32_t process_returned;      ///< Several processes answer in turn; 1 once in a series.
    int32_t starts_over_each_time; ///< The profiles seem to be deltas; 1 once in a series.
    /// The number of samples with less of some cumulative type than before.
    uint64_t negative_samples;
} pprofdelta_summary;

/// A delta_computer of delta.hpp, which has the rules and the cost.
typedef struct pprofdelta_computer pprofdelta_computer;

/// Creates a computer.
///
/// @param options  may be null.
/// @param computer receives the handle; null after a failure.
pprofdelta_status pprofdelta_computer_new(const pprofdelta_options* options,
                                          pprofdelta_computer** computer, pprofdelta_error* error);

/// Computes the delta of a profile from the previous profile, and makes it the previous one.
///
/// @param source  a pprofdelta_source: the same for all profiles of a series.
/// @param delta   receives a serialized, uncompressed profile.
/// @param summary may be null.
///
/// Fails with PPROFDELTA_MALFORMED, _TOO_LARGE, _INCOMPATIBLE, _NO_CUMULATIVE_TYPE or _RESET.
pprofdelta_status pprofdelta_computer_compute(pprofdelta_computer* computer, const void* profile,
                                              size_t size, int source, pprofdelta_view* delta,
                                              pprofdelta_summary* summary, pprofdelta_error* error);

/// Makes a profile the previous one without a delta, in less time. Fails as
/// pprofdelta_computer_compute(), except with _RESET.
pprofdelta_status pprofdelta_computer_prime(pprofdelta_computer* computer, const void* profile,
                                            size_t size, int source, pprofdelta_error* error);

/// Returns 1 if there is a previous profile, and otherwise, or for null, 0.
int pprofdelta_computer_has_previous(const pprofdelta_computer* computer);

/// Returns the state, with which pprofdelta_computer_load() or `pprofdelta --state` continues the
/// series, possibly in another process; pprofdelta-state(5) describes the format. Fails with
/// PPROFDELTA_INVALID_ARGUMENT without a previous profile, or PPROFDELTA_TOO_LARGE.
pprofdelta_status pprofdelta_computer_save(pprofdelta_computer* computer, pprofdelta_view* state,
                                           pprofdelta_error* error);

/// Replaces the series by that of the computer that was saved, whose options must be the same.
/// Fails with PPROFDELTA_MALFORMED, _TOO_LARGE or _INCOMPATIBLE.
pprofdelta_status pprofdelta_computer_load(pprofdelta_computer* computer, const void* state,
                                           size_t size, pprofdelta_error* error);

/// Frees a computer, which may be null.
void pprofdelta_computer_free(pprofdelta_computer* computer);

// ---- Two captures ----

/// Computes the diff of two independent captures; diff() in delta.hpp.
///
/// @param options may be null.
/// @param delta   receives a serialized, uncompressed profile.
/// @param summary may be null.
///
/// Fails with PPROFDELTA_MALFORMED, _TOO_LARGE or _INCOMPATIBLE.
pprofdelta_status pprofdelta_diff(const void* previous, size_t previous_size, const void* current,
                                  size_t current_size, const pprofdelta_options* options,
                                  pprofdelta_buffer* storage, pprofdelta_view* delta,
                                  pprofdelta_summary* summary, pprofdelta_error* error);

/// The way a previous profile is scaled; normalization in normalize.hpp.
typedef enum pprofdelta_normalization {
    PPROFDELTA_NORMALIZE_TOTAL = 0,
    PPROFDELTA_NORMALIZE_DURATION = 1
} pprofdelta_normalization;

/// Scales the previous profile to the totals or the duration of the current one, for a comparison;
/// normalize() in normalize.hpp.
///
/// @param by a pprofdelta_normalization.
///
/// Fails as pprofdelta_diff().
pprofdelta_status pprofdelta_normalize(const void* previous, size_t previous_size,
                                       const void* current, size_t current_size, int by,
                                       pprofdelta_buffer* storage, pprofdelta_view* normalized,
                                       pprofdelta_error* error);

// ---- Sums ----

/// A description of a sum; merge_summary in merge.hpp.
typedef struct pprofdelta_sum_summary {
    uint64_t profiles;
    uint64_t samples_in;    ///< The number of samples of all profiles, before trimming.
    uint64_t samples_out;   ///< The number of samples of the sum.
    int64_t time_nanos;     ///< The sum's time: the earliest one.
    int64_t duration_nanos; ///< The sum's duration: the sum of all durations.
} pprofdelta_sum_summary;

/// A profile_sum of merge.hpp, which has the rules and the cost.
typedef struct pprofdelta_sum pprofdelta_sum;

/// Creates a sum.
///
/// @param options may be null.
/// @param sum     receives the handle; null after a failure.
///
/// Fails with PPROFDELTA_INVALID_ARGUMENT for a value of "drop-label" that is not a valid regular
/// expression.
pprofdelta_status pprofdelta_sum_new(const pprofdelta_options* options, pprofdelta_sum** sum,
                                     pprofdelta_error* error);

/// Adds a profile.
///
/// @param weight a factor for each value: 1, or another number above 0.
///
/// Fails with PPROFDELTA_MALFORMED, _TOO_LARGE, also for a sum that does not fit 64 bits,
/// _INCOMPATIBLE, or _INVALID_ARGUMENT for the weight.
pprofdelta_status pprofdelta_sum_add(pprofdelta_sum* sum, const void* profile, size_t size,
                                     double weight, pprofdelta_error* error);

/// Writes the sum of the profiles so far. More can be added afterwards.
///
/// @param written receives a serialized, uncompressed profile.
/// @param summary may be null.
///
/// Fails with PPROFDELTA_INVALID_ARGUMENT if no profile was added, or PPROFDELTA_TOO_LARGE.
pprofdelta_status pprofdelta_sum_finish(pprofdelta_sum* sum, pprofdelta_view* written,
                                        pprofdelta_sum_summary* summary, pprofdelta_error* error);

/// Writes the mean: values and durations divided by the sum of the weights. Otherwise as
/// pprofdelta_sum_finish().
pprofdelta_status pprofdelta_sum_finish_mean(pprofdelta_sum* sum, pprofdelta_view* written,
                                             pprofdelta_sum_summary* summary,
                                             pprofdelta_error* error);

/// Frees a sum, which may be null.
void pprofdelta_sum_free(pprofdelta_sum* sum);

// ---- Reports ----

/// A profile to report on.
typedef struct pprofdelta_report_input {
    const void* profile;
    size_t size;
    int source;       ///< A pprofdelta_source, as pprofdelta_decode() gives it.
    const char* name; ///< The name in the report; may be null.
} pprofdelta_report_input;

/// Writes a report on what changed most, as JSON: the output of `pprofdelta report --format json`
/// for the same profiles, names and options, less `summary`, `causes`, `rest` and `next`. With
/// "fold-allocators" it folds what that folds unless it is told to name functions. pprofdelta(1)
/// has the schema. Both profiles have the same types in the same order. The report on two profiles
/// with counters is on their delta; otherwise, and with the option "diff", it compares them.
///
/// @param previous may be null, for a report on one profile.
/// @param options  may be null.
/// @param json     receives a text in UTF-8.
///
/// Fails as pprofdelta_computer_compute(); with PPROFDELTA_INCOMPATIBLE for a sample type or a
/// limit that does not fit the profiles; with PPROFDELTA_INVALID_ARGUMENT for limits without a
/// previous profile.
pprofdelta_status pprofdelta_report_on(const pprofdelta_report_input* previous,
                                       const pprofdelta_report_input* current,
                                       const pprofdelta_options* options,
                                       pprofdelta_buffer* storage, pprofdelta_view* json,
                                       pprofdelta_error* error);

/// Writes a report as pprofdelta_report_on(), for profiles that are known to be of one source,
/// whichever it is.
pprofdelta_status pprofdelta_report(const void* previous, size_t previous_size,
                                    const char* previous_name, const void* current,
                                    size_t current_size, const char* current_name,
                                    const pprofdelta_options* options, pprofdelta_buffer* storage,
                                    pprofdelta_view* json, pprofdelta_error* error);

#ifdef __cplusplus
}
#endif

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#endif // PPROFDELTA_PPROFDELTA_H
