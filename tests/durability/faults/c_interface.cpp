// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <string>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/pprofdelta.h>

#include "c_handles.hpp"
#include "sweep.hpp"

namespace pprofdelta::test {

namespace {

computer_handle new_computer() {
    pprofdelta_computer* computer = nullptr;
    require(pprofdelta_computer_new(nullptr, &computer, nullptr) == PPROFDELTA_OK, "no computer");
    return computer_handle{computer};
}

void prime(const computer_handle& computer, const std::string& profile) {
    require(pprofdelta_computer_prime(computer.get(), profile.data(), profile.size(),
                                      PPROFDELTA_SOURCE_PROTOBUF, nullptr) == PPROFDELTA_OK,
            "not primed");
}

buffer_handle new_buffer() { return buffer_handle{pprofdelta_buffer_new()}; }

using call = std::function<pprofdelta_status(pprofdelta_view* result, pprofdelta_error* error)>;

// Makes a call with the fault, and again if it failed.
std::string with_fault(fault& f, const call& what) {
    pprofdelta_view result{};
    pprofdelta_error error{};
    pprofdelta_status status{};
    require(f.allows([&] { status = what(&result, &error); }), "an exception");
    if (f.came() && status != PPROFDELTA_OK) {
        require(status == PPROFDELTA_OUT_OF_MEMORY, "another status");
        require(error.status == status, "another status in the error");
        require(std::string{error.message} == "out of memory", "another message");
        require(result.data == nullptr && result.size == 0, "a result after a failure");
        status = what(&result, &error);
    }
    require(status == PPROFDELTA_OK, error.message);
    return {result.data, result.size};
}

void sweep_handles() {
    sweep("pprofdelta_options_set", [](fault& f) {
        const options_handle options{pprofdelta_options_new()};
        return with_fault(f, [&](pprofdelta_view*, pprofdelta_error* error) {
            return pprofdelta_options_set(options.get(), "cumulative",
                                          "a sample type of more characters than fit in place",
                                          error);
        });
    });
    sweep("pprofdelta_computer_new", [](fault& f) {
        computer_handle computer;
        return with_fault(f, [&](pprofdelta_view*, pprofdelta_error* error) {
            pprofdelta_computer* made = nullptr;
            const auto status = pprofdelta_computer_new(nullptr, &made, error);
            computer.reset(made);
            require((made != nullptr) == (status == PPROFDELTA_OK), "a handle after a failure");
            return status;
        });
    });
    sweep("pprofdelta_sum_new", [](fault& f) {
        sum_handle sum;
        return with_fault(f, [&](pprofdelta_view*, pprofdelta_error* error) {
            pprofdelta_sum* made = nullptr;
            const auto status = pprofdelta_sum_new(nullptr, &made, error);
            sum.reset(made);
            require((made != nullptr) == (status == PPROFDELTA_OK), "a handle after a failure");
            return status;
        });
    });
}

} // namespace

void sweep_c_interface(const std::string& before, const std::string& now) {
    sweep_handles();
    sweep("pprofdelta_computer_compute", [&](fault& f) {
        const auto computer = new_computer();
        prime(computer, before);
        return with_fault(f, [&](pprofdelta_view* delta, pprofdelta_error* error) {
            return pprofdelta_computer_compute(computer.get(), now.data(), now.size(),
                                               PPROFDELTA_SOURCE_PROTOBUF, delta, nullptr, error);
        });
    });
    sweep("pprofdelta_computer_save and _load", [&](fault& f) {
        const auto computer = new_computer();
        prime(computer, before);
        const auto other = new_computer();
        return with_fault(f, [&](pprofdelta_view* state, pprofdelta_error* error) {
            const auto status = pprofdelta_computer_save(computer.get(), state, error);
            if (status != PPROFDELTA_OK) {
                return status;
            }
            const pprofdelta_view saved = *state;
            const auto loaded =
                pprofdelta_computer_load(other.get(), saved.data, saved.size, error);
            *state = loaded == PPROFDELTA_OK ? saved : pprofdelta_view{};
            return loaded;
        });
    });
    sweep("pprofdelta_diff", [&](fault& f) {
        const auto storage = new_buffer();
        return with_fault(f, [&](pprofdelta_view* delta, pprofdelta_error* error) {
            return pprofdelta_diff(before.data(), before.size(), now.data(), now.size(), nullptr,
                                   storage.get(), delta, nullptr, error);
        });
    });
    sweep("pprofdelta_sum_add and _finish", [&](fault& f) {
        pprofdelta_sum* made = nullptr;
        require(pprofdelta_sum_new(nullptr, &made, nullptr) == PPROFDELTA_OK, "no sum");
        const sum_handle sum{made};
        bool is_added = false;
        return with_fault(f, [&](pprofdelta_view* written, pprofdelta_error* error) {
            if (!is_added) {
                const auto status = pprofdelta_sum_add(sum.get(), now.data(), now.size(), 1, error);
                if (status != PPROFDELTA_OK) {
                    return status;
                }
                is_added = true;
            }
            return pprofdelta_sum_finish(sum.get(), written, nullptr, error);
        });
    });
    sweep("pprofdelta_report", [&](fault& f) {
        const auto storage = new_buffer();
        return with_fault(f, [&](pprofdelta_view* json, pprofdelta_error* error) {
            return pprofdelta_report(before.data(), before.size(), "before", now.data(), now.size(),
                                     "now", nullptr, storage.get(), json, error);
        });
    });
    const std::string packed = encode(now, codec::zstd);
    sweep("pprofdelta_decode and _encode", [&](fault& f) {
        const auto storage = new_buffer();
        const auto again = new_buffer();
        return with_fault(f, [&](pprofdelta_view* result, pprofdelta_error* error) {
            pprofdelta_view plain{};
            const auto status = pprofdelta_decode(packed.data(), packed.size(), 0, storage.get(),
                                                  &plain, nullptr, error);
            return status != PPROFDELTA_OK
                       ? status
                       : pprofdelta_encode(plain.data, plain.size, PPROFDELTA_CODEC_GZIP,
                                           PPROFDELTA_DEFAULT_LEVEL, again.get(), result, error);
        });
    });
}

} // namespace pprofdelta::test
