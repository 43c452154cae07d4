// SPDX-License-Identifier: Apache-2.0
#include "canonical.hpp"

#include <algorithm>

namespace pprofdelta::test {

namespace {

std::string text(std::uint64_t number) { return std::to_string(number); }
std::string text(std::int64_t number) { return std::to_string(number); }
std::string text(bool flag) { return flag ? "yes" : "no"; }
// The length comes first, so that no string can imitate what stands around it.
std::string text(const std::string& string) {
    return std::to_string(string.size()) + "'" + string + "'";
}

template <typename... Parts>
std::string row(const char* name, const Parts&... parts) {
    std::string out = name;
    out += '(';
    ((out += text(parts) + " "), ...);
    out.back() = ')';
    return out;
}

class writer {
public:
    explicit writer(const profile& from) {
        for (const auto& each : from.mappings) {
            m_mappings[each.id] = &each;
        }
        for (const auto& each : from.locations) {
            m_locations[each.id] = &each;
        }
        for (const auto& each : from.functions) {
            m_functions[each.id] = &each;
        }
    }

    [[nodiscard]] std::string identity(const sample& from, match_mode match) const {
        std::string out;
        for (const std::uint64_t id : from.stack) {
            const location& frame = *m_locations.at(id);
            out += match == match_mode::exact || frame.lines.empty() ? exact(frame)
                                                                     : source(frame, match);
            out += '\n';
        }
        return out + labels(from);
    }

private:
    [[nodiscard]] std::string exact(const location& frame) const;
    [[nodiscard]] std::string source(const location& frame, match_mode match) const;
    [[nodiscard]] std::string whole(const location& frame) const;
    [[nodiscard]] static std::string labels(const sample& from);

    std::map<std::uint64_t, const mapping*> m_mappings;
    std::map<std::uint64_t, const location*> m_locations;
    std::map<std::uint64_t, const function*> m_functions;
};

std::string writer::exact(const location& frame) const {
    std::string out = "no mapping";
    std::uint64_t address = frame.address;
    if (const auto found = m_mappings.find(frame.mapping); found != m_mappings.end()) {
        const mapping& m = *found->second;
        const std::uint64_t pages = (m.limit - m.start + 4095) / 4096;
        out = row("mapping", m.build_id.empty() ? m.file : m.build_id, pages, m.offset);
        address = address == 0 ? 0 : address - m.start;
    }
    out += row(" frame", address, frame.address == 0, frame.folded);
    for (const auto& l : frame.lines) {
        if (l.function == 0) {
            out += " no function";
        } else {
            const function& f = *m_functions.at(l.function);
            out += row(" function", f.name, f.system_name, f.file, f.start_line);
        }
        out += row(" line", l.number, l.column);
    }
    return out;
}

std::string writer::source(const location& frame, match_mode match) const {
    std::string out = "lines";
    for (const auto& l : frame.lines) {
        if (l.function == 0) {
            out += " no function";
        } else {
            const function& f = *m_functions.at(l.function);
            out += row(" function", f.name, f.file);
        }
        if (match == match_mode::line) {
            out += row(" line", l.number);
        }
    }
    return out;
}

std::string writer::labels(const sample& from) {
    std::vector<std::string> rows;
    for (const auto& each : from.labels) {
        rows.push_back(row("label", each.key, each.str, each.num, each.unit) + '\n');
    }
    std::sort(rows.begin(), rows.end());
    std::string out;
    for (const auto& each : rows) {
        out += each;
    }
    return out;
}

} // namespace

sample_values add_up(const profile& from, match_mode match) {
    const writer keys{from};
    sample_values out;
    for (const auto& each : from.samples) {
        auto& values = out[keys.identity(each, match)];
        values.resize(each.values.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
            // Unsigned, as only there a sum may wrap around.
            values[i] = static_cast<std::int64_t>(static_cast<std::uint64_t>(values[i]) +
                                                  static_cast<std::uint64_t>(each.values[i]));
        }
    }
    return out;
}

std::vector<std::string> headers_of(const profile& from) {
    std::vector<std::string> out;
    for (const auto& each : from.types) {
        out.push_back(row("sample_type", each.type, each.unit));
    }
    for (const auto& each : from.comments) {
        out.push_back(row("comment", each));
    }
    out.push_back(row("period_type", from.period_type.type, from.period_type.unit));
    out.push_back(row("period", from.period));
    out.push_back(row("time", from.time));
    out.push_back(row("duration", from.duration));
    out.push_back(row("drop_frames", from.drop_frames));
    out.push_back(row("keep_frames", from.keep_frames));
    out.push_back(row("default_sample_type", from.default_type));
    out.push_back(row("doc_url", from.doc_url));
    out.push_back(row("unknown", from.unknown));
    return out;
}

canonical canonical_form(const profile& from, match_mode match) {
    return {add_up(from, match), headers_of(from)};
}

std::string difference(const canonical& expected, const canonical& actual) {
    std::string out;
    for (const auto& each : expected.headers) {
        const bool found = std::count(actual.headers.begin(), actual.headers.end(), each) > 0;
        out += found ? "" : "missing header " + each + '\n';
    }
    if (out.empty() && expected.headers != actual.headers) {
        out += "headers in another order, or too many\n";
    }
    const auto describe = [](const sample_values& from, const std::string& key) {
        const auto found = from.find(key);
        std::string values = found == from.end() ? " nothing" : "";
        if (found != from.end()) {
            for (const std::int64_t value : found->second) {
                values += ' ' + text(value);
            }
        }
        return values;
    };
    sample_values all = expected.samples;
    all.insert(actual.samples.begin(), actual.samples.end());
    for (const auto& [key, values] : all) {
        const std::string wanted = describe(expected.samples, key);
        const std::string got = describe(actual.samples, key);
        if (wanted != got && out.size() < 2000) {
            out.append("expected").append(wanted).append(", got").append(got);
            out.append(" for\n").append(key);
        }
    }
    return out.empty() ? "none" : out;
}

} // namespace pprofdelta::test
