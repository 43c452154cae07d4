// SPDX-License-Identifier: Apache-2.0
#include "document/compare_format.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <pprofdelta/statistics.hpp>

#include "base/short_names.hpp"
#include "base/value_text.hpp"
#include "document/compare_cells.hpp"
#include "document/document.hpp"

namespace pprofdelta::tool {

namespace {

std::string plain(double value) { return fixed_text(value, value == std::trunc(value) ? 0 : 1); }

// All captures, the smallest first.
std::string captures_text(const compare_view& view, const compared_row& row,
                          const std::string& unit) {
    struct line {
        double rank;
        double value;
        const char* side;
        std::string file;
    };
    const std::vector<double> order = ranks(row.base.values, row.head.values);
    std::vector<line> lines;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const bool is_base = i < row.base.values.size();
        const std::size_t place = is_base ? i : i - row.base.values.size();
        lines.push_back({order[i], (is_base ? row.base : row.head).values[place],
                         is_base ? "base" : "head", (is_base ? view.base : view.head)[place]});
    }
    std::stable_sort(lines.begin(), lines.end(),
                     [](const line& a, const line& b) { return a.rank < b.rank; });
    table all{"capture", {{"rank"}, {"side"}, {"value"}, {""}}};
    for (const line& l : lines) {
        all.rows.push_back(
            {l.file, {plain(l.rank), l.side, plain(l.value), human_number(l.value, unit)}});
    }
    return as_text(all, view.width, false);
}

std::string side_text(const char* name, const compared_values& side, const std::string& unit,
                      double alpha) {
    std::string text = std::string{name} + ": median " + plain(side.median) + " (" +
                       human_number(side.median, unit) + "), ";
    if (!side.within) {
        return text + "too few captures for an interval\n";
    }
    return text + "at " + factor_text((1 - alpha) * 100) + "% confidence from " +
           plain(side.within->low) + " to " + plain(side.within->high) + "\n";
}

// How many ways chance is as likely to take, and which of them are as far off as what is so.
std::string permutation_text(std::size_t pairs) {
    const bool is_exact = permutation_test::of_pairs(pairs).is_exact();
    return (is_exact ? ", exact: of all ways" : ", of 20000 ways that were drawn") +
           std::string{" to swap base and head in these pairs, the share with a sum of differences "
                       "of logarithms as far off\n"};
}

std::string test_text(const compare_view& view, const compared_row& row, const char* corrected_by,
                      std::size_t questions) {
    const std::size_t base = row.base.values.size();
    const std::size_t head = row.head.values.size();
    std::string text;
    if (view.options.are_paired) {
        text += "p: " + factor_text(row.p) + permutation_text(base);
    } else {
        text += "U: the head is larger in " + plain(row.u) + " of all " +
                std::to_string(base * head) +
                " pairs of a base and a head (equal: a half); by chance in " +
                plain(static_cast<double>(base * head) / 2) + "\n";
        text += "p: " + factor_text(row.p) +
                (u_test{base, head}.is_exact()
                     ? ", exact: of all ways to call " + std::to_string(base) + " of these " +
                           std::to_string(base + head) +
                           " the base, the share with U as far off, twice\n"
                     : ", by the normal distribution, as there are many captures\n");
    }
    text += "corrected: " + factor_text(row.corrected_p);
    if (view.options.corrected == correction::none) {
        return text + ", the same, as --correct is none\n";
    }
    return text + ", by " + corrected_by + " among " + std::to_string(questions) +
           (questions == 1 ? " test\n" : " tests\n");
}

std::string shift_text(const compare_view& view, const compared_row& row, const std::string& unit) {
    std::string text = "shift: " + human_change(row.change, unit) + " (" + percent_text(row) + ")" +
                       (view.options.are_paired ? ", the median of the differences of pairs"
                                                : ", the median of all differences");
    if (!row.within) {
        return text + "; too few captures for an interval\n";
    }
    return text + "; at " + factor_text((1 - view.options.alpha) * 100) + "% from " +
           human_change(row.within->low, unit) + " to " + human_change(row.within->high, unit) +
           "\n";
}

std::string verdict_text(const compare_view& view, const compared_row& row) {
    const std::string least = factor_text(view.options.min_change * 100) + "% of the base's median";
    const std::string alpha = factor_text(view.options.alpha);
    const std::string start = std::string{"verdict: "} + to_string(row.is) + ", as ";
    switch (row.is) {
    case verdict::same:
        return start + "all of the interval is within " + least + "\n";
    case verdict::grew:
    case verdict::fell:
        return start + "p is at most " + alpha + ", and the interval is not within " + least + "\n";
    case verdict::unsure:
        break;
    case verdict::too_few:
        return start + "no p of so few captures is at most " + alpha + "\n";
    }
    return start + "p is more than " + alpha + ", and the interval is not within " + least + "\n";
}

std::string explain_values(const compare_view& view, const compared_row& row,
                           const value_type& type, const std::string& title) {
    const double alpha = view.options.alpha;
    return printable(to_string(type) + ", " + title) + "\n" + captures_text(view, row, type.unit) +
           "\n" + side_text("base", row.base, type.unit, alpha) +
           side_text("head", row.head, type.unit, alpha);
}

std::string explain_test(const compare_view& view, const compared_row& row, const value_type& type,
                         const char* corrected_by, std::size_t questions) {
    if (!view.options.is_tested) {
        return "change: " + human_change(row.change, type.unit) + " (" + percent_text(row) +
               "), the difference of the medians, without a test\n";
    }
    return test_text(view, row, corrected_by, questions) + shift_text(view, row, type.unit) +
           verdict_text(view, row);
}

// Explains the rows of this name in one sample type; empty if there are none.
std::string explain_rows(const compare_view& view, const compared_type& shown,
                         const std::string& name) {
    const value_type& type = view.types[shown.type];
    const auto find = [&](const compared_family& family) -> const compared_row* {
        const auto found = std::find_if(family.rows.begin(), family.rows.end(),
                                        [&](const compared_row& row) { return row.name == name; });
        return found == family.rows.end() ? nullptr : &*found;
    };
    const compared_row* const flat = find(shown.rows.flat);
    const compared_row* const cum = find(shown.rows.cum);
    const char* const by = to_string(view.options.corrected);
    const std::size_t of_flat = shown.rows.flat.questions;
    const std::size_t of_cum = shown.rows.cum.questions;
    if (flat != nullptr && cum != nullptr && flat->base.values == cum->base.values &&
        flat->head.values == cum->head.values) {
        const std::string both = explain_values(view, *flat, type, "flat and cum: " + name);
        return view.options.is_tested
                   ? both + "flat:\n" + explain_test(view, *flat, type, by, of_flat) + "cum:\n" +
                         explain_test(view, *cum, type, by, of_cum)
                   : both + explain_test(view, *flat, type, by, of_flat);
    }
    std::string text;
    if (flat != nullptr) {
        text = explain_values(view, *flat, type, "flat: " + name) +
               explain_test(view, *flat, type, by, of_flat);
    }
    if (cum != nullptr) {
        text += (text.empty() ? "" : "\n") + explain_values(view, *cum, type, "cum: " + name) +
                explain_test(view, *cum, type, by, of_cum);
    }
    return text;
}

} // namespace

std::vector<std::string> find_names(const compare_view& view, const std::string& part) {
    std::set<std::string> names;
    for (const compared_type& shown : view.shown) {
        for (const compared_family* family : {&shown.rows.flat, &shown.rows.cum}) {
            for (const compared_row& row : family->rows) {
                if (row.name == part) {
                    return {part};
                }
                if (row.name.find(part) != std::string::npos) {
                    names.insert(row.name);
                }
            }
        }
    }
    return {names.begin(), names.end()};
}

std::string explain(const compare_view& view, const std::string& name) {
    std::string text;
    for (const compared_type& shown : view.shown) {
        const compared_row& total = view.totals.rows[shown.type];
        const value_type& type = view.types[shown.type];
        const std::string found =
            name == "total"
                ? explain_values(view, total, type, name) +
                      explain_test(view, total, type, strict_name(view.options.corrected),
                                   view.totals.questions)
                : explain_rows(view, shown, name);
        text += (text.empty() || found.empty() ? "" : "\n") + found;
    }
    return text;
}

} // namespace pprofdelta::tool
