// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_PPROFDELTA_H
#define PPROFDELTA_PPROFDELTA_H

#include <stddef.h>
#include <stdint.h>

/// The library in C99, for C and for every language that can call it. The C++ headers beside this
/// one have the meaning of what is computed; here is how to ask for it. pprofdelta-c(7) has
/// examples.
///
/// - A profile is the serialized, uncompressed Profile message of profile.proto. It is given as its
///   first byte and its size in bytes, and is needed during the call only. The pointer may be null
///   if the size is 0. pprofdelta_decode() makes one of what lies on disk.
/// - What a call gives is a view of memory that a handle owns, so that nothing is copied. It is
///   valid until the handle is used in another call or freed, and cannot be an input of a call on
///   that handle. Handles keep their memory for the next call.
/// - A call that can fail returns a status, and fills `error`, if that is not null, also with
///   success. After a failure nothing has changed: views are empty, other results are as before,
///   and a handle can be used as if the call had not been made.
/// - No C++ exception leaves a call, and none ends the process, also where memory runs out.
/// - Where one of several constants is asked for it is an int, so that any other is an error.
/// - A handle, a result or a text that is null is an error unless it says "may be null", but null
///   can be freed.
/// - A handle may be used by one thread at a time, and by different ones in turn. Different handles
///   are independent. Options may be used by several threads as long as none changes them.

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// What went wrong, and so what a caller can do about it; error_kind in error.hpp. The last decimal
/// digit is the exit status that pprofdelta(1) has for it. More may be added.
typedef enum pprofdelta_status {
    PPROFDELTA_OK = 0,
    /// An argument is wrong whatever the inputs are, or it is too early for the call.
    PPROFDELTA_INVALID_ARGUMENT = 2,
    PPROFDELTA_MALFORMED = 3,           ///< The bytes are not a valid profile, state or archive.
    PPROFDELTA_INCOMPATIBLE = 4,        ///< Each input is valid, but they do not go together.
    PPROFDELTA_OUT_OF_MEMORY = 5,       ///< The same call may succeed later.
    PPROFDELTA_TOO_LARGE = 13,          ///< A limit to sizes was exceeded.
    PPROFDELTA_NO_CUMULATIVE_TYPE = 14, ///< There is nothing to subtract; see "cumulative".
    PPROFDELTA_RESET = 24,              ///< Counters started over, and "on-reset" is "error".
    PPROFDELTA_INTERNAL = 15            ///< A fault of the library.
} pprofdelta_status;

/// Which input an error is about; error_input in error.hpp.
typedef enum pprofdelta_input {
    PPROFDELTA_INPUT_UNSPECIFIED = 0, ///< The only input of the call, or an argument.
    PPROFDELTA_INPUT_PREVIOUS = 1,
    PPROFDELTA_INPUT_CURRENT = 2,
    PPROFDELTA_INPUT_BOTH = 3,
    PPROFDELTA_INPUT_STATE = 4
} pprofdelta_input;

/// What a call says of itself. It belongs to the caller, and not to a thread, since some languages
/// move a caller to another thread between two calls.
typedef struct pprofdelta_error {
    pprofdelta_status status;
    pprofdelta_input input;
    /// Where in the input the fault lies, in bytes; -1 where no single place is to blame.
    int64_t offset;
    /// One line without control characters, which ends with a zero byte; empty after success. A
    /// message that does not fit is cut off.
    char message[1024];
} pprofdelta_error;

/// Bytes that belong to someone else. Texts end with a zero byte behind them.
typedef struct pprofdelta_view {
    const char* data; ///< Null if there are none.
    size_t size;
} pprofdelta_view;

/// "MAJOR.MINOR.PATCH", for ever.
const char* pprofdelta_version(void);

/// The word for a status, such as "malformed", for ever; "unknown" for what is none.
const char* pprofdelta_status_name(int status);

// ---- Options ----

/// How things are computed. All calls that take options may be given null, for the defaults, and
/// use those that have a meaning for them. They copy what they need.
typedef struct pprofdelta_options pprofdelta_options;

/// Null if there is not enough memory.
pprofdelta_options* pprofdelta_options_new(void);

/// Sets an option, or adds one more value to those that are marked with +. The names and values are
/// those of pprofdelta(1); flags are "yes" or "no".
///
/// | of deltas and diffs | value |
/// | --- | --- |
/// | cumulative +, gauge + | a sample type, or TYPE/UNIT |
/// | match | exact, line, function |
/// | on-reset | emit, drop, error, negative |
/// | first | emit, skip |
/// | drop-negative | a flag |
/// | threads | a number from 1 to 64; 1 unless set |
///
/// | of sums, besides match, cumulative and gauge | value |
/// | --- | --- |
/// | levels | sum, last, mean, max: as in merge.hpp |
/// | keep-type +, drop-label +, focus, ignore, label +, no-label + | as in merge.hpp |
/// | drop-lines, for-pgo | flags |
///
/// | of reports, besides those of deltas | value |
/// | --- | --- |
/// | diff | a flag: compare two captures |
/// | by | function, file, package, line, label:KEY |
/// | order | flat, cum, percent |
/// | sample-type | a sample type, or TYPE/UNIT |
/// | focus, ignore, hide, show-from | regular expressions, as in stack_selection of report.hpp |
/// | label +, no-label +, rename +, label-root + | as there |
/// | top | how many rows; 20 unless set |
/// | limit +, min-amount | as in limits.hpp |
///
/// Fails with PPROFDELTA_INVALID_ARGUMENT for an option that there is not, or a value that it
/// cannot have.
pprofdelta_status pprofdelta_options_set(pprofdelta_options* options, const char* name,
                                         const char* value, pprofdelta_error* error);

/// `options` may be null.
void pprofdelta_options_free(pprofdelta_options* options);

// ---- Memory for results ----

/// Owns the results of calls that have no other handle, one at a time.
typedef struct pprofdelta_buffer pprofdelta_buffer;

/// Null if there is not enough memory.
pprofdelta_buffer* pprofdelta_buffer_new(void);

/// `buffer` may be null.
void pprofdelta_buffer_free(pprofdelta_buffer* buffer);

// ---- What lies on disk ----

/// What a profile was made of; profile_source in delta.hpp. Those made of one do not go together
/// with those made of another.
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

/// Stands for the usual level of pprofdelta_encode().
#define PPROFDELTA_DEFAULT_LEVEL (-1)

/// Makes a profile of the bytes of a file: uncompresses gzip and zstd, and converts the text
/// profiles that text_profile.hpp names and the profiles of OTLP that otlp_profile.hpp does.
///
/// @param max_size the most bytes that the profile may have, which a small archive cannot exceed
///                 for long; 0 for 2 GiB, which no profile can have.
/// @param profile  what is in `storage`, or `bytes` themselves if there is nothing to do: so they
///                 have to outlive the use of it.
/// @param source   what the profile was made of; may be null.
/// Fails with PPROFDELTA_MALFORMED or PPROFDELTA_TOO_LARGE. Linear in the profile. What is in the
/// profile is not looked at.
pprofdelta_status pprofdelta_decode(const void* bytes, size_t size, size_t max_size,
                                    pprofdelta_buffer* storage, pprofdelta_view* profile,
                                    pprofdelta_source* source, pprofdelta_error* error);

/// Compresses bytes. The same bytes, codec, level and libraries give the same result.
///
/// @param to    a pprofdelta_codec.
/// @param level 0 to 9 for gzip, 1 to 19 for zstd, or PPROFDELTA_DEFAULT_LEVEL. Ignored for
///              PPROFDELTA_CODEC_NONE.
/// Fails with PPROFDELTA_INVALID_ARGUMENT.
pprofdelta_status pprofdelta_encode(const void* bytes, size_t size, int to, int level,
                                    pprofdelta_buffer* storage, pprofdelta_view* encoded,
                                    pprofdelta_error* error);

// ---- Deltas of a series of profiles ----

/// Why counters count as started over; reset_reason in delta.hpp.
typedef enum pprofdelta_reset_reason {
    PPROFDELTA_RESET_REASON_NONE = 0,
    PPROFDELTA_RESET_REASON_PROCESS = 1, ///< It is another process, for certain.
    PPROFDELTA_RESET_REASON_COUNTERS = 2 ///< The values fell.
} pprofdelta_reset_reason;

/// What was found; delta_summary in delta.hpp.
typedef struct pprofdelta_summary {
    uint64_t samples_in;    ///< Samples in the profile, duplicates counted.
    uint64_t samples_kept;  ///< Samples in the delta.
    int64_t time_nanos;     ///< Of the delta: nanoseconds since 1970; 0 if it is not known.
    int64_t duration_nanos; ///< Of the delta: the time it covers; 0 if it is not known.
    // Each of these is 0 or 1.
    int32_t first;                 ///< There was nothing to subtract.
    int32_t reset;                 ///< Counters started over.
    int32_t out_of_order;          ///< The profile subtracted is the later one.
    int32_t previous_has_duration; ///< The profile subtracted may have been a delta.
    int32_t reset_reason;          ///< A pprofdelta_reset_reason.
    int32_t other_program;         ///< Before, it was another program.
    int32_t process_returned;      ///< Several processes answer in turn; 1 once in a series.
    int32_t starts_over_each_time; ///< The profiles seem to be deltas; 1 once in a series.
    /// Samples that have less of some cumulative type than before.
    uint64_t negative_samples;
} pprofdelta_summary;

/// A delta_computer of delta.hpp, which has the rules, and the cost.
typedef struct pprofdelta_computer pprofdelta_computer;

/// @param options  may be null.
/// @param computer receives the handle; null after a failure.
pprofdelta_status pprofdelta_computer_new(const pprofdelta_options* options,
                                          pprofdelta_computer** computer, pprofdelta_error* error);

/// Computes the delta from the profile before, and makes this profile the one before.
///
/// @param source  a pprofdelta_source: the same for all profiles of a series.
/// @param delta   a serialized, uncompressed profile.
/// @param summary may be null.
/// Fails with PPROFDELTA_MALFORMED, _TOO_LARGE, _INCOMPATIBLE, _NO_CUMULATIVE_TYPE or _RESET.
pprofdelta_status pprofdelta_computer_compute(pprofdelta_computer* computer, const void* profile,
                                              size_t size, int source, pprofdelta_view* delta,
                                              pprofdelta_summary* summary, pprofdelta_error* error);

/// Makes this profile the one before without a delta, which takes less time. Fails like
/// pprofdelta_computer_compute().
pprofdelta_status pprofdelta_computer_prime(pprofdelta_computer* computer, const void* profile,
                                            size_t size, int source, pprofdelta_error* error);

/// 1 if there is a profile before; else, and for null, 0.
int pprofdelta_computer_has_previous(const pprofdelta_computer* computer);

/// Gives what pprofdelta_computer_load() needs to go on from here, also in another process, and
/// `pprofdelta --state`; pprofdelta-state(5) has the format.
/// Fails with PPROFDELTA_INVALID_ARGUMENT without a profile before, or PPROFDELTA_TOO_LARGE.
pprofdelta_status pprofdelta_computer_save(pprofdelta_computer* computer, pprofdelta_view* state,
                                           pprofdelta_error* error);

/// Takes the place of the computer that was saved, whose options must be the same.
/// Fails with PPROFDELTA_MALFORMED, _TOO_LARGE or _INCOMPATIBLE.
pprofdelta_status pprofdelta_computer_load(pprofdelta_computer* computer, const void* state,
                                           size_t size, pprofdelta_error* error);

/// `computer` may be null.
void pprofdelta_computer_free(pprofdelta_computer* computer);

// ---- Two captures ----

/// The difference of two independent captures; diff() in delta.hpp.
///
/// @param options may be null.
/// @param delta   a serialized, uncompressed profile.
/// @param summary may be null.
/// Fails with PPROFDELTA_MALFORMED, _TOO_LARGE or _INCOMPATIBLE.
pprofdelta_status pprofdelta_diff(const void* previous, size_t previous_size, const void* current,
                                  size_t current_size, const pprofdelta_options* options,
                                  pprofdelta_buffer* storage, pprofdelta_view* delta,
                                  pprofdelta_summary* summary, pprofdelta_error* error);

/// How a previous profile is scaled; normalization in normalize.hpp.
typedef enum pprofdelta_normalization {
    PPROFDELTA_NORMALIZE_TOTAL = 0,
    PPROFDELTA_NORMALIZE_DURATION = 1
} pprofdelta_normalization;

/// The previous profile as it would be if it were as large as the current one, or had taken as
/// long, to be compared with it.
///
/// @param by a pprofdelta_normalization.
/// Fails like pprofdelta_diff().
pprofdelta_status pprofdelta_normalize(const void* previous, size_t previous_size,
                                       const void* current, size_t current_size, int by,
                                       pprofdelta_buffer* storage, pprofdelta_view* normalized,
                                       pprofdelta_error* error);

// ---- Sums ----

/// What a sum is made of; merge_summary in merge.hpp.
typedef struct pprofdelta_sum_summary {
    uint64_t profiles;
    uint64_t samples_in;    ///< Of all profiles.
    uint64_t samples_out;   ///< Of the sum.
    int64_t time_nanos;     ///< Of the sum: the earliest one.
    int64_t duration_nanos; ///< Of the sum: all together.
} pprofdelta_sum_summary;

/// A profile_sum of merge.hpp, which has the rules, and the cost.
typedef struct pprofdelta_sum pprofdelta_sum;

/// @param options may be null.
/// @param sum     receives the handle; null after a failure.
/// Fails with PPROFDELTA_INVALID_ARGUMENT for a label that is no regular expression.
pprofdelta_status pprofdelta_sum_new(const pprofdelta_options* options, pprofdelta_sum** sum,
                                     pprofdelta_error* error);

/// @param weight what each value is multiplied by: 1, or another number above 0.
/// Fails with PPROFDELTA_MALFORMED, _TOO_LARGE, also for a sum that would not fit 64 bits,
/// _INCOMPATIBLE, or _INVALID_ARGUMENT for the weight.
pprofdelta_status pprofdelta_sum_add(pprofdelta_sum* sum, const void* profile, size_t size,
                                     double weight, pprofdelta_error* error);

/// Gives the sum of what was added so far. More can be added afterwards.
///
/// @param written a serialized, uncompressed profile.
/// @param summary may be null.
/// Fails with PPROFDELTA_INVALID_ARGUMENT if nothing was added, or PPROFDELTA_TOO_LARGE.
pprofdelta_status pprofdelta_sum_finish(pprofdelta_sum* sum, pprofdelta_view* written,
                                        pprofdelta_sum_summary* summary, pprofdelta_error* error);

/// Writes the mean: values and durations divided by the sum of the weights.
pprofdelta_status pprofdelta_sum_finish_mean(pprofdelta_sum* sum, pprofdelta_view* written,
                                             pprofdelta_sum_summary* summary,
                                             pprofdelta_error* error);

/// `sum` may be null.
void pprofdelta_sum_free(pprofdelta_sum* sum);

// ---- Reports ----

/// A profile to report on.
typedef struct pprofdelta_report_input {
    const void* profile;
    size_t size;
    int source;       ///< A pprofdelta_source, as pprofdelta_decode() says it.
    const char* name; ///< What to call it in the report; may be null.
} pprofdelta_report_input;

/// What changed most, as JSON: the bytes that `pprofdelta report --format json` prints for the same
/// profiles, names and options; pprofdelta(1) has the schema. Of two profiles with counters it is
/// about their delta, else, and with the option "diff", it compares them.
///
/// @param previous may be null, for a report on one profile.
/// @param options  may be null.
/// @param json     a text, which is UTF-8.
/// Fails like pprofdelta_computer_compute(); for a sample type or a limit that does not fit the
/// profiles with PPROFDELTA_INCOMPATIBLE; for limits without a previous profile with
/// PPROFDELTA_INVALID_ARGUMENT.
pprofdelta_status pprofdelta_report_on(const pprofdelta_report_input* previous,
                                       const pprofdelta_report_input* current,
                                       const pprofdelta_options* options,
                                       pprofdelta_buffer* storage, pprofdelta_view* json,
                                       pprofdelta_error* error);

/// The same for profiles that are known to be of one source, whichever it is.
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
