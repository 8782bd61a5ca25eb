#include "http/api/negotiation.hpp"

#include "http/api/value_syntax.hpp"

#include <algorithm>
#include <optional>

namespace assay::http {
namespace {

std::string_view trimmed(std::string_view text) noexcept {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
    text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
    text.remove_suffix(1);
  return text;
}

bool equals_lowered(std::string_view text, std::string_view lower) noexcept {
  return text.size() == lower.size() &&
         std::equal(text.begin(), text.end(), lower.begin(), [](char a, char b) {
           return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + 32) : a) == b;
         });
}

/// Calls `visit(member)` for every member of a comma list without quoted strings.
template <class Visit>
void for_each_member(std::string_view list, Visit visit) {
  while (!list.empty()) {
    const auto end = std::min(list.find(','), list.size());
    if (const auto member = trimmed(list.substr(0, end)); !member.empty())
      visit(member);
    list.remove_prefix(std::min(end + 1, list.size()));
  }
}

/// The weight of a member; nothing when its parameter is not a qvalue.
std::optional<double> weight_of(std::string_view parameters) {
  parameters = trimmed(parameters);
  if (parameters.empty())
    return 1.0;
  if (parameters.size() < 3 || (parameters[0] != 'q' && parameters[0] != 'Q') ||
      parameters[1] != '=')
    return std::nullopt;
  auto digits = parameters.substr(2);
  // RFC 9110 allows `0.` and `1.`, which JSON does not.
  if (digits.size() == 2 && digits[1] == '.')
    digits.remove_suffix(1);
  const auto q = digits.size() <= 5 ? parse_number(digits) : std::nullopt;
  return q && *q >= 0 && *q <= 1 && digits[0] != '-' ? q : std::nullopt;
}

struct preferences {
  std::optional<double> gzip;
  std::optional<double> identity;
  std::optional<double> any;
};

void read_codings(std::string_view list, preferences& p) {
  for_each_member(list, [&](std::string_view member) {
    const auto mark = std::min(member.find(';'), member.size());
    const auto coding = trimmed(member.substr(0, mark));
    const auto q = weight_of(member.substr(std::min(mark + 1, member.size())));
    if (!q)
      return;
    if (equals_lowered(coding, "gzip") || equals_lowered(coding, "x-gzip"))
      p.gzip = q;
    else if (equals_lowered(coding, "identity"))
      p.identity = q;
    else if (coding == "*")
      p.any = q;
  });
}

/// How entity tags are compared (RFC 9110, 8.8.3.2): a weak one equals nothing strongly.
enum class comparison : bool { weak, strong };

/// Whether a list of entity tags holds `tag`. Tags may hold commas, so the list is read tag by tag.
bool lists_tag(std::string_view list, std::string_view tag, comparison how) {
  while (true) {
    list = trimmed(list);
    if (list.starts_with(',')) {
      list.remove_prefix(1);
      continue;
    }
    if (list == "*")
      return true;
    const bool weak = list.starts_with("W/");
    if (weak)
      list.remove_prefix(2);
    if (!list.starts_with('"'))
      return false;
    const auto end = list.find('"', 1);
    if (end == std::string_view::npos)
      return false;
    if (list.substr(0, end + 1) == tag && !(weak && how == comparison::strong))
      return true;
    list.remove_prefix(end + 1);
  }
}

template <class Visit>
void for_each_field(const request& r, std::string_view name, Visit visit) {
  for (std::size_t i = 0; i < r.field_count(); ++i)
    if (const auto f = r.field_at(i); f.name == name)
      visit(f.value);
}

} // namespace

bool wants_gzip(const request& r) {
  preferences p;
  for_each_field(r, "accept-encoding", [&](std::string_view value) { read_codings(value, p); });
  const auto gzip = p.gzip ? p.gzip : p.any;
  // The plain text is always acceptable unless it is excluded, but has no weight of its own.
  return gzip && *gzip > 0 && *gzip >= p.identity.value_or(0);
}

bool matches_none_match(const request& r, std::string_view tag) {
  bool found = false;
  for_each_field(r, "if-none-match", [&](std::string_view value) {
    found = found || lists_tag(value, tag, comparison::weak);
  });
  return found;
}

bool fails_match(const request& r, std::string_view tag) {
  bool asked = false;
  bool found = false;
  for_each_field(r, "if-match", [&](std::string_view value) {
    asked = true;
    found = found || lists_tag(value, tag, comparison::strong);
  });
  return asked && !found;
}

} // namespace assay::http
