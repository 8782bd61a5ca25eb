#include "engine/allocation/mvo_text.hpp"

#include <charconv>
#include <cmath>
#include <optional>

namespace assay::engine {

namespace {

constexpr std::string_view blanks = " \t\r\v\f";

/// Hands out the tokens of one line after the other and keeps the first fault.
class line_reader {
public:
  line_reader(std::string_view text, std::string_view name) : rest_(text), name_(name) {}

  /// Goes to the next line that is neither blank nor a comment; false at the end.
  bool next_line() {
    while (!rest_.empty()) {
      const std::size_t end = std::min(rest_.find('\n'), rest_.size());
      line_ = rest_.substr(0, end);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      ++number_;
      if (!line_.starts_with('#') && line_.find_first_not_of(blanks) != std::string_view::npos)
        return true;
    }
    line_ = {};
    return false;
  }

  std::string_view token() {
    const std::size_t from = std::min(line_.find_first_not_of(blanks), line_.size());
    line_.remove_prefix(from);
    const std::size_t end = std::min(line_.find_first_of(blanks), line_.size());
    const std::string_view t = line_.substr(0, end);
    line_.remove_prefix(end);
    return t;
  }

  double number(std::string_view what) {
    const std::string_view t = token();
    double x = 0;
    const auto [end, error] = std::from_chars(t.data(), t.data() + t.size(), x);
    if (error == std::errc::result_out_of_range)
      fail(std::string{what} + ": " + quote(t) + " is out of range of a double");
    else if (error != std::errc{} || end != t.data() + t.size())
      fail("expected a number for " + std::string{what} + ", found " + quote(t));
    else if (!std::isfinite(x))
      fail(std::string{what} + " must be finite, found " + quote(t));
    return x;
  }

  std::size_t count(std::string_view what, std::size_t most) {
    const std::string_view t = token();
    std::size_t x = 0;
    const auto [end, error] = std::from_chars(t.data(), t.data() + t.size(), x);
    if (error == std::errc::result_out_of_range ||
        (error == std::errc{} && end == t.data() + t.size() && x > most))
      fail(std::string{what} + ": " + quote(t) + " is above the most, " + std::to_string(most));
    else if (error != std::errc{} || end != t.data() + t.size())
      fail("expected a whole number for " + std::string{what} + ", found " + quote(t));
    return x;
  }

  void expect_end() {
    if (const std::string_view t = token(); !t.empty())
      fail("expected the end of the line, found " + quote(t));
  }

  void fail(std::string what) {
    if (!fault_)
      fault_ = at(number_, std::move(what));
  }

  problem at(std::size_t line, std::string what) const {
    return {std::string{name_} + ":" + std::to_string(line), std::move(what)};
  }

  bool failed() const noexcept { return fault_.has_value(); }
  const problem& fault() const noexcept { return *fault_; }
  std::size_t line() const noexcept { return number_; }

  static std::string quote(std::string_view t) {
    if (t.empty())
      return "the end of the line";
    std::string s = "'";
    for (const char c : t.substr(0, 40))
      s += c >= ' ' && c <= '~' ? c : '?';
    return s + (t.size() > 40 ? "…'" : "'");
  }

private:
  std::string_view rest_;
  std::string_view name_;
  std::string_view line_;
  std::size_t number_ = 0;
  std::optional<problem> fault_;
};

struct header {
  std::size_t variables = 0;
  std::size_t sets = 0;
};

header read_header(line_reader& in, mvo_terms& t) {
  header h;
  if (!in.next_line()) {
    in.fail("expected 'MVO1 n k m gamma', found nothing");
    return h;
  }
  if (const auto magic = in.token(); magic != "MVO1")
    in.fail("expected 'MVO1 n k m gamma', found " + line_reader::quote(magic));
  h.variables = in.count("n", mvo_count_max);
  t.factors = in.count("k", mvo_count_max);
  h.sets = in.count("m", mvo_count_max);
  t.gamma = in.number("gamma");
  in.expect_end();
  return h;
}

void expect_row(line_reader& in, std::size_t index, std::size_t count, const char* kind) {
  if (!in.next_line())
    in.fail("expected " + std::to_string(count) + " " + kind + " lines, found " +
            std::to_string(index));
  else if (const std::size_t i = in.count("the index", mvo_count_max); i != index && !in.failed())
    in.fail("expected " + std::string{kind} + " " + std::to_string(index) + ", found " +
            std::to_string(i));
}

void read_variable(line_reader& in, std::size_t index, std::size_t count, mvo_terms& t) {
  expect_row(in, index, count, "variable");
  t.mu.push_back(in.number("mu"));
  t.d.push_back(in.number("d"));
  t.u.push_back(in.number("u"));
  const std::size_t entries = in.count("the number of loadings", t.factors);
  for (std::size_t e = 0; e < entries && !in.failed(); ++e) {
    t.loadings.column.push_back(
        static_cast<std::uint32_t>(in.count("a factor index", mvo_count_max)));
    t.loadings.value.push_back(in.number("a loading"));
  }
  t.loadings.end_row();
  in.expect_end();
}

void read_set(line_reader& in, std::size_t index, const header& h, mvo_terms& t) {
  expect_row(in, index, h.sets, "set");
  cap_set s;
  s.name = std::string{in.token()};
  s.bound = in.number("the bound");
  const std::size_t members = in.count("the number of members", h.variables);
  for (std::size_t e = 0; e < members && !in.failed(); ++e)
    s.members.push_back(static_cast<std::uint32_t>(in.count("a member", mvo_count_max)));
  in.expect_end();
  t.sets.push_back(std::move(s));
}

void put(std::string& out, double x) {
  char buffer[32];
  const auto r = std::to_chars(buffer, buffer + sizeof buffer, x);
  out.append(buffer, r.ptr);
}

} // namespace

expected<mvo_problem> read_mvo(std::string_view text, std::string_view name) {
  line_reader in{text, name};
  mvo_terms t;
  const header h = read_header(in, t);
  const std::size_t header_line = in.line();
  std::vector<std::size_t> variable_line, set_line;
  for (std::size_t i = 0; i < h.variables && !in.failed(); ++i) {
    read_variable(in, i, h.variables, t);
    variable_line.push_back(in.line());
  }
  for (std::size_t j = 0; j < h.sets && !in.failed(); ++j) {
    read_set(in, j, h, t);
    set_line.push_back(in.line());
  }
  if (!in.failed() && in.next_line())
    in.fail("expected the end of the file after " + std::to_string(h.sets) + " sets");
  if (in.failed())
    return in.fault();
  if (const auto f = find_fault(t)) {
    const std::size_t line = f->in == mvo_fault::part::variable ? variable_line[f->index]
                             : f->in == mvo_fault::part::set    ? set_line[f->index]
                                                                : header_line;
    return in.at(line, f->what);
  }
  return mvo_problem::create(std::move(t));
}

std::string write_mvo(const mvo_problem& p) {
  std::string out = "MVO1 " + std::to_string(p.size()) + " " + std::to_string(p.factor_count()) +
                    " " + std::to_string(p.set_count()) + " ";
  put(out, p.gamma());
  out += '\n';
  for (std::size_t i = 0; i < p.size(); ++i) {
    out += std::to_string(i);
    for (const double x : {p.mu()[i], p.d()[i], p.u()[i]}) {
      out += ' ';
      put(out, x);
    }
    const auto columns = p.loadings().columns(i);
    out += " " + std::to_string(columns.size());
    for (std::size_t e = 0; e < columns.size(); ++e) {
      out += " " + std::to_string(columns[e]) + " ";
      put(out, p.loadings().values(i)[e]);
    }
    out += '\n';
  }
  for (std::size_t j = 0; j < p.set_count(); ++j) {
    const cap_set& s = p.sets()[j];
    out += std::to_string(j) + " " + s.name + " ";
    put(out, s.bound);
    out += " " + std::to_string(s.members.size());
    for (const std::uint32_t i : s.members)
      out += " " + std::to_string(i);
    out += '\n';
  }
  return out;
}

} // namespace assay::engine
