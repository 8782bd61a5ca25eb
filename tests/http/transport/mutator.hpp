#pragma once

#include <array>
#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace assay::http::test {

/// Makes hostile requests out of others, the same ones for the same seed on every machine.
class mutator {
public:
  mutator(std::vector<std::string> seeds, std::uint64_t seed)
      : seeds_(std::move(seeds)), random_(seed) {}

  /// One to three changes to one of the seeds.
  std::string next() {
    auto octets = seeds_[below(seeds_.size())];
    for (auto changes = 1 + below(3); changes > 0; --changes)
      change(octets);
    return octets;
  }

  /// Uniform enough for tests, and the same everywhere, unlike std::uniform_int_distribution.
  std::size_t below(std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(random_() % n); }

private:
  void change(std::string& s) {
    static constexpr std::array<std::string_view, 54> scraps{"\r\n",
                                                             "\r",
                                                             "\n",
                                                             "\r\n\r\n",
                                                             " ",
                                                             "\t",
                                                             ":",
                                                             ";",
                                                             ",",
                                                             "\"",
                                                             "#",
                                                             "?",
                                                             "%",
                                                             "/",
                                                             "\x00",
                                                             "\x0b",
                                                             "\x7f",
                                                             "\x80",
                                                             "\xff",
                                                             "0",
                                                             "1",
                                                             "9",
                                                             "f",
                                                             "-",
                                                             "+",
                                                             "0x",
                                                             "chunked",
                                                             "identity",
                                                             "Content-Length: 5\r\n",
                                                             "Content-Length: 0\r\n",
                                                             "Transfer-Encoding: chunked\r\n",
                                                             "Host: h\r\n",
                                                             "Host: a b\r\n",
                                                             "Connection: close\r\n",
                                                             "Connection: keep-alive\r\n",
                                                             "Expect: 100-continue\r\n",
                                                             "GET ",
                                                             "POST ",
                                                             "HEAD ",
                                                             " HTTP/1.1",
                                                             "HTTP/1.0",
                                                             "HTTP/2.0",
                                                             "http://h/",
                                                             "*",
                                                             "0\r\n\r\n",
                                                             "3\r\nabc\r\n",
                                                             "X: y\r\n",
                                                             " X: y\r\n",
                                                             "\r\n ",
                                                             "Trailer",
                                                             "a;b=\"c\"",
                                                             "[::1]",
                                                             "@",
                                                             "content-length:"};
    const auto at = below(s.size() + 1);
    const auto length = below(std::min<std::size_t>(s.size() - at + 1, 12));
    switch (below(9)) {
    case 0:
      if (at < s.size())
        s[at] = static_cast<char>(s[at] ^ (1 << below(8)));
      break;
    case 1: {
      const auto scrap = scraps[below(scraps.size())];
      s.insert(at, scrap.empty() ? std::string(1, '\0') : std::string(scrap));
      break;
    }
    case 2: s.erase(at, length); break;
    case 3: s.insert(at, s.substr(at, length)); break;
    case 4: s.resize(at); break;
    case 5: duplicate_line(s, at); break;
    case 6: s += seeds_[below(seeds_.size())]; break;
    case 7: s.insert(at, 1, static_cast<char>(below(256))); break;
    case 8: {
      const auto scrap = scraps[below(scraps.size())];
      s.replace(at, std::min(length, s.size() - at), scrap);
      break;
    }
    }
  }

  void duplicate_line(std::string& s, std::size_t near) {
    const auto end = s.find("\r\n", near);
    if (end == std::string::npos)
      return;
    const auto before = s.rfind("\r\n", end == 0 ? 0 : end - 1);
    const auto begin = before == std::string::npos ? 0 : before + 2;
    const auto line = s.substr(begin, end + 2 - begin);
    s.insert(below(2) == 0 ? begin : end + 2, line);
  }

  std::vector<std::string> seeds_;
  std::mt19937_64 random_;
};

} // namespace assay::http::test
