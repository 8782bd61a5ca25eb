#include "http/api/rendered_body.hpp"

#include "http/codec/gzip.hpp"

#include <string_view>
#include <utility>

#include <xxhash.h>

namespace assay::http {
namespace {

std::string hash_text(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  const auto hash = XXH3_128bits(text.data(), text.size());
  std::string result;
  for (const auto half : {hash.high64, hash.low64})
    for (int shift = 60; shift >= 0; shift -= 4)
      result += digits[(half >> static_cast<unsigned>(shift)) & 0xFU];
  return result;
}

} // namespace

rendered_body::rendered_body(std::string text, bool with_tag)
    : text_(std::make_shared<const std::string>(std::move(text))) {
  if (!with_tag)
    return;
  const auto hash = hash_text(*text_);
  tag_ = '"' + hash + '"';
  gzip_tag_ = '"' + hash + "-gz\"";
}

const std::shared_ptr<const std::string>& rendered_body::gzip() const {
  std::call_once(gzip_once_, [this] {
    if (auto packed = to_gzip(*text_))
      gzip_ = std::make_shared<const std::string>(std::move(*packed));
  });
  return gzip_;
}

} // namespace assay::http
