// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <string_view>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/normalize.hpp>

#include "c/buffer.hpp"
#include "c/guard.hpp"
#include "c/options.hpp"
#include "c/source.hpp"

using namespace pprofdelta;
using namespace pprofdelta::c;

struct pprofdelta_computer {
    delta_computer computer;
    std::string delta{};
    std::string state{};
};

namespace {

void fill(pprofdelta_summary* to, const delta_summary& from) noexcept {
    if (to != nullptr) {
        *to = {from.samples_in,
               from.samples_kept,
               from.time_nanos,
               from.duration_nanos,
               static_cast<std::int32_t>(from.first),
               static_cast<std::int32_t>(from.reset),
               static_cast<std::int32_t>(from.out_of_order),
               static_cast<std::int32_t>(from.previous_has_duration),
               static_cast<std::int32_t>(from.reason),
               static_cast<std::int32_t>(from.other_program),
               static_cast<std::int32_t>(from.process_returned),
               static_cast<std::int32_t>(from.starts_over_each_time),
               from.negative_samples};
    }
}

} // namespace

pprofdelta_status pprofdelta_computer_new(const pprofdelta_options* options,
                                          pprofdelta_computer** computer, pprofdelta_error* error) {
    return guarded(error, [&] {
        pprofdelta_computer*& result = required(computer, "computer") = nullptr;
        result = new pprofdelta_computer{delta_computer{options_or_defaults(options).delta}};
    });
}

pprofdelta_status pprofdelta_computer_compute(pprofdelta_computer* computer, const void* profile,
                                              size_t size, int source, pprofdelta_view* delta,
                                              pprofdelta_summary* summary,
                                              pprofdelta_error* error) {
    return guarded(error, [&] {
        pprofdelta_view& result = required(delta, "delta") = {};
        pprofdelta_computer& of = required(computer, "computer");
        fill(summary,
             of.computer.compute(bytes_of(profile, size, "profile"), of.delta, source_of(source)));
        result = view_of(of.delta);
    });
}

pprofdelta_status pprofdelta_computer_prime(pprofdelta_computer* computer, const void* profile,
                                            size_t size, int source, pprofdelta_error* error) {
    return guarded(error, [&] {
        required(computer, "computer")
            .computer.prime(bytes_of(profile, size, "profile"), source_of(source));
    });
}

int pprofdelta_computer_has_previous(const pprofdelta_computer* computer) {
    return computer != nullptr && computer->computer.has_previous() ? 1 : 0;
}

pprofdelta_status pprofdelta_computer_save(pprofdelta_computer* computer, pprofdelta_view* state,
                                           pprofdelta_error* error) {
    return guarded(error, [&] {
        pprofdelta_view& result = required(state, "state") = {};
        pprofdelta_computer& of = required(computer, "computer");
        of.state = of.computer.save();
        result = view_of(of.state);
    });
}

pprofdelta_status pprofdelta_computer_load(pprofdelta_computer* computer, const void* state,
                                           size_t size, pprofdelta_error* error) {
    return guarded(error, [&] {
        required(computer, "computer").computer.load(bytes_of(state, size, "state"));
    });
}

void pprofdelta_computer_free(pprofdelta_computer* computer) { delete computer; }

pprofdelta_status pprofdelta_diff(const void* previous, size_t previous_size, const void* current,
                                  size_t current_size, const pprofdelta_options* options,
                                  pprofdelta_buffer* storage, pprofdelta_view* delta,
                                  pprofdelta_summary* summary, pprofdelta_error* error) {
    return guarded(error, [&] {
        pprofdelta_view& result = required(delta, "delta") = {};
        pprofdelta_buffer& room = required(storage, "storage");
        fill(summary, diff(bytes_of(previous, previous_size, "previous"),
                           bytes_of(current, current_size, "current"),
                           options_or_defaults(options).delta, room.bytes));
        result = view_of(room.bytes);
    });
}

pprofdelta_status pprofdelta_normalize(const void* previous, size_t previous_size,
                                       const void* current, size_t current_size, int by,
                                       pprofdelta_buffer* storage, pprofdelta_view* normalized,
                                       pprofdelta_error* error) {
    return guarded(error, [&] {
        pprofdelta_view& result = required(normalized, "normalized") = {};
        pprofdelta_buffer& room = required(storage, "storage");
        room.bytes = normalize(bytes_of(previous, previous_size, "previous"),
                               bytes_of(current, current_size, "current"),
                               chosen<normalization>(by, "normalization", normalization::total,
                                                     normalization::duration))
                         .profile;
        result = view_of(room.bytes);
    });
}
