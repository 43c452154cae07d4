// SPDX-License-Identifier: Apache-2.0
#include "decimal.hpp"

#include <algorithm>

namespace pprofdelta::test {

namespace {

std::string without_zeros_in_front(const std::string& digits) {
    return digits.substr(std::min(digits.find_first_not_of('0'), digits.size()));
}

} // namespace

std::string product(const std::string& a, const std::string& b) {
    std::string result(a.size() + b.size(), '0');
    for (std::size_t i = a.size(); i-- > 0;) {
        int carry = 0;
        for (std::size_t j = b.size(); j-- > 0;) {
            const int sum = (a[i] - '0') * (b[j] - '0') + (result[i + j + 1] - '0') + carry;
            result[i + j + 1] = static_cast<char>('0' + sum % 10);
            carry = sum / 10;
        }
        result[i] = static_cast<char>('0' + carry);
    }
    return result;
}

bool is_more(const std::string& a, const std::string& b) {
    const std::string more = without_zeros_in_front(a);
    const std::string less = without_zeros_in_front(b);
    return more.size() != less.size() ? more.size() > less.size() : more > less;
}

} // namespace pprofdelta::test
