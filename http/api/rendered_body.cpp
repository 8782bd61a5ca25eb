#include "http/api/rendered_body.hpp"

#include "http/codec/gzip.hpp"

#include <string_view>
#include <utility>

#include <xxhash.h>
// Last: replaces the functions by ones that use what the processor has; the hashes are the same.
#if defined(__x86_64__) && __has_include(<xxh_x86dispatch.h>)
#include <xxh_x86dispatch.h>
#endif

namespace assay::http {
namespace {

/// Smaller ones are copied as fast as their pages are handed over.
constexpr std::size_t file_bytes_min = std::size_t{64} * 1024;

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

const std::shared_ptr<const memory_file>& rendered_body::file() const {
  std::call_once(file_once_, [this] {
    if (text_->size() >= file_bytes_min)
      file_ = memory_file::make(*text_);
  });
  return file_;
}

} // namespace assay::http
