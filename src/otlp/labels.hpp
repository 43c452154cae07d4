// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_OTLP_LABELS_HPP
#define PPROFDELTA_SRC_OTLP_LABELS_HPP

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/keyed_list.hpp"
#include "otlp/any_value.hpp"
#include "otlp/strings.hpp"
#include "profile/records.hpp"

namespace pprofdelta {

/// Makes the labels of samples, as fields of pprof's Sample, from what samples of OTLP refer to.
/// What is referred to often is made once.
class otlp_labels {
public:
    /// All have to outlive this.
    otlp_labels(const otlp_dictionary& dictionary, otlp_strings& strings, otlp_room& room)
        : m_dictionary{dictionary}, m_strings{strings}, m_room{room} {}

    /// The number of the set of attributes that a sample has; 0 for none. The order of the indices
    /// counts here, which does no harm, as labels are a set when samples are compared.
    /// @param sample at the field that has them.
    /// @throws error malformed, also for a key that is there twice; too_large; also below.
    [[nodiscard]] std::uint32_t set_of(otlp_reader& sample);

    /// The same for a single attribute that set_of() had before; 0 for anything else.
    /// @throws error malformed
    [[nodiscard]] std::uint32_t known_set(std::string_view packed) const {
        const std::size_t index = only_index(packed);
        return index < m_sets_of_one.size() ? m_sets_of_one[index] : 0;
    }

    /// The labels of a Resource, of whose attributes all become some: `resource.service.name`. They
    /// do not depend on the order of attributes. O(size), so it is to be read once, and not for
    /// each of its scopes.
    [[nodiscard]] record of_resource(std::string_view resource);

    /// The number of the set of labels of a resource and of a scope in it. Equal ones have one
    /// number, which is none of set_of().
    /// @param resource from of_resource().
    /// @param scope    an InstrumentationScope, whose name becomes the label `otel.scope.name`. Its
    ///                 version is none, as it can change while the process goes on.
    [[nodiscard]] std::uint32_t set_of_source(record resource, std::string_view scope);

    /// Where the labels of a set are, for at().
    [[nodiscard]] record set(std::uint32_t number) const { return m_sets[number]; }

    /// The labels of a link: the ids of its trace and its span, in hexadecimal digits.
    /// @param index checked; nothing for 0.
    [[nodiscard]] record link(std::uint32_t index) {
        return index == 0 ? record{0, 0} : read_link(index);
    }

    /// Valid until the next call of a function that is not const.
    [[nodiscard]] std::string_view at(record labels) const noexcept {
        return {m_fields.data() + labels.offset, labels.size};
    }

private:
    void append_label(const label_record& label);
    void append_one(std::uint32_t key, const otlp_any_value& value, std::uint32_t unit);
    void append(std::uint32_t key, const otlp_any_value& value, std::uint32_t unit);
    [[nodiscard]] record read_link(std::uint32_t index);
    [[nodiscard]] record attribute(std::uint32_t index);
    // The index that there is, if there is no other; else none that is in a table.
    [[nodiscard]] std::size_t only_index(std::string_view packed) const {
        constexpr std::size_t none = ~std::size_t{0};
        const char* const end = packed.data() + packed.size();
        if (packed.empty()) {
            return none;
        }
        const decoded_varint first = decode_varint(packed.data(), end, m_dictionary.bytes().data());
        return first.end == end ? first.number : none;
    }
    [[nodiscard]] std::uint32_t find_set(std::string_view packed, otlp_reader& sample);
    [[nodiscard]] record since(std::size_t begin) const noexcept {
        return {static_cast<std::uint32_t>(begin),
                static_cast<std::uint32_t>(m_fields.size() - begin)};
    }

    static constexpr record unknown{0xffffffff, 0};

    const otlp_dictionary& m_dictionary;
    otlp_strings& m_strings;
    otlp_room& m_room;
    std::string m_fields; // of all that was made
    std::vector<record> m_attributes;
    std::vector<record> m_links;
    std::vector<std::uint32_t> m_sets_of_one; // by their attribute; 0 for what was not asked for
    keyed_list<std::uint32_t> m_indices;      // sets, by hashes of packed indices
    keyed_list<std::uint32_t> m_sources;      // sets, by hashes of labels
    std::vector<record> m_sets{{0, 0}};
    std::vector<std::uint32_t> m_set; // the indices of the one at hand
    std::vector<std::uint32_t> m_keys;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_OTLP_LABELS_HPP
