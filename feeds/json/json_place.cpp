#include "feeds/json/json_place.hpp"

namespace assay::feeds {

namespace {

// Keys come from documents of strangers: what is not plain text must not reach a log line.
void append_key(std::string& out, std::string_view key) {
  constexpr std::size_t longest = 64;
  for (const char c : key.substr(0, longest)) {
    if (c == '~')
      out += "~0";
    else if (c == '/')
      out += "~1";
    else
      out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  }
}

} // namespace

std::string json_place::pointer() const {
  if (up == nullptr)
    return {};
  std::string out = up->pointer();
  out += '/';
  if (key.data() != nullptr)
    append_key(out, key);
  else
    out += std::to_string(index);
  return out;
}

void fault_list::add(const json_place& at, std::string_view what) {
  ++count_;
  if (kept_.size() < max_faults)
    kept_.push_back({prefix_ + at.pointer(), std::string(what)});
}

std::vector<problem> fault_list::take() {
  if (count_ > kept_.size())
    kept_.push_back({prefix_, "and " + std::to_string(count_ - kept_.size()) + " more faults"});
  count_ = 0;
  return std::move(kept_);
}

} // namespace assay::feeds
