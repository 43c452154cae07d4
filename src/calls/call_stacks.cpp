// SPDX-License-Identifier: Apache-2.0
#include "calls/call_stacks.hpp"

#include "select/row_order.hpp"

namespace pprofdelta {

double weight_of(const value_pair& value) noexcept {
    return static_cast<double>(change_size(value));
}

class call_stacks::impl {
public:
    report_stacks of{0};
};

call_stacks::call_stacks() : m_impl{std::make_unique<impl>()} {}
call_stacks::~call_stacks() = default;
call_stacks::call_stacks(call_stacks&& other) noexcept = default;
call_stacks& call_stacks::operator=(call_stacks&& other) noexcept = default;

const std::string& call_stacks::name(std::uint32_t number) const {
    return m_impl->of.names.name(number);
}

call_list call_stacks::callers(std::string_view regex, const call_limits& limits) const {
    return find_calls(m_impl->of, regex, call_end::callee, limits);
}

call_list call_stacks::callees(std::string_view regex, const call_limits& limits) const {
    return find_calls(m_impl->of, regex, call_end::caller, limits);
}

call_tree call_stacks::tree(const call_tree_limits& limits) const {
    return make_call_tree(m_impl->of, limits);
}

call_paths call_stacks::paths(std::size_t most) const { return find_paths(m_impl->of, most); }

report make_report(std::string_view previous, std::string_view current,
                   const report_options& options, call_stacks& stacks) {
    return make_report(previous, current, options, stacks.m_impl->of);
}

report make_report(const computed_delta& delta, const report_options& options,
                   call_stacks& stacks) {
    return make_report(delta, options, stacks.m_impl->of);
}

report make_report(std::string_view profile, const report_options& options, call_stacks& stacks) {
    return make_report(profile, options, stacks.m_impl->of);
}

} // namespace pprofdelta
