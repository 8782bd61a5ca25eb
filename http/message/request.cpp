#include "http/message/request.hpp"

#include "messages/types/text.hpp"

#include <algorithm>

namespace assay::http {
namespace {

text_span append(std::string& head, std::string_view text) {
  const text_span span{static_cast<std::uint32_t>(head.size()),
                       static_cast<std::uint32_t>(text.size())};
  head += text;
  return span;
}

} // namespace

request request::make(method verb, std::string_view target,
                      std::initializer_list<std::pair<std::string_view, std::string_view>> fields,
                      std::string body, ip_address peer) {
  request_parts parts;
  parts.verb = verb;
  const auto mark = target.find('?');
  parts.has_query = mark != std::string_view::npos;
  parts.path = append(parts.head, target.substr(0, mark));
  if (parts.has_query) {
    parts.head += '?';
    parts.query = append(parts.head, target.substr(mark + 1));
  }
  for (const auto& [name, value] : fields) {
    const auto lowered = lower_case(name);
    const auto name_span = append(parts.head, lowered);
    const auto value_span = append(parts.head, value);
    if (lowered == "host")
      parts.authority = value_span;
    parts.fields.push_back({name_span, value_span});
  }
  parts.body = std::move(body);
  request result(std::move(parts));
  result.set_peer(peer);
  return result;
}

std::optional<std::string_view> request::find(std::string_view name) const noexcept {
  for (const auto& f : parts_.fields)
    if (view(f.name) == name)
      return view(f.value);
  return std::nullopt;
}

std::size_t request::count(std::string_view name) const noexcept {
  return static_cast<std::size_t>(
      std::count_if(parts_.fields.begin(), parts_.fields.end(),
                    [&](const field_span& f) { return view(f.name) == name; }));
}

request::field request::field_at(std::size_t i) const noexcept {
  return {view(parts_.fields[i].name), view(parts_.fields[i].value)};
}

} // namespace assay::http
