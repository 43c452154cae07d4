// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_CAPTURES_QUESTIONS_HPP
#define PPROFDELTA_SRC_CAPTURES_QUESTIONS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include <pprofdelta/compare.hpp>
#include <pprofdelta/error.hpp>

#include "base/keyed_list.hpp"

// What tests of the rows of many captures have in common.
namespace pprofdelta {

/// p of many tests, corrected.
[[nodiscard]] std::vector<double> correct(const std::vector<double>& p, correction how);

/// What the smallest p has to be for anything to be found among so many questions.
template <typename Options>
[[nodiscard]] double needed_p(const Options& options, std::size_t questions) {
    return options.corrected == correction::none || questions == 0
               ? options.alpha
               : options.alpha / static_cast<double>(questions);
}

[[noreturn]] inline void refuse(const std::string& what) {
    throw error{error_kind::invalid_argument, what};
}

/// @throws error invalid_argument for a chance or a part that is out of range.
template <typename Options>
void check_test(const Options& options) {
    if (!(options.alpha > 0 && options.alpha < 1)) {
        refuse("alpha is a number between 0 and 1");
    }
    if (!(options.min_change >= 0 && options.min_share >= 0)) {
        refuse("the least change and the least share are numbers from 0");
    }
}

/// What a test found for rows that are tested together. Those whose captures are in the same order
/// are one question.
template <typename Result>
class answers {
public:
    /// @param order_of what a row's values are like in order: the ranks of all captures.
    /// @param test     has a result with a `p` for a row.
    template <typename Row, typename OrderOf, typename Test>
    answers(const std::vector<Row*>& rows, correction how, OrderOf&& order_of, Test&& test) {
        for (const Row* const row : rows) {
            const std::vector<double> order = order_of(*row);
            m_questions.push_back(
                m_results.find_or_add(hash_bytes(order.data(), order.size() * sizeof order[0]),
                                      [&] { return test(*row); }));
        }
        std::vector<double> p;
        std::transform(m_results.values().begin(), m_results.values().end(), std::back_inserter(p),
                       [](const Result& r) { return r.p; });
        m_corrected = correct(p, how);
    }

    [[nodiscard]] std::size_t questions() const noexcept { return m_results.size(); }
    /// @param row its place among the rows.
    [[nodiscard]] const Result& of(std::size_t row) const { return m_results[m_questions[row]]; }
    [[nodiscard]] double corrected_p(std::size_t row) const {
        return m_corrected[m_questions[row]];
    }

private:
    std::vector<std::uint32_t> m_questions; // by row
    keyed_list<Result> m_results;           // of questions, by the order of their captures
    std::vector<double> m_corrected;        // the same
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_CAPTURES_QUESTIONS_HPP
