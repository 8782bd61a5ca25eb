// A chunked body by itself: the same content whole and octet by octet, never over the limit.
#include "http/transport/chunked_body.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

using namespace assay::http;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view octets(reinterpret_cast<const char*>(data), size);
  request_limits limits;
  limits.body_bytes = 512;
  limits.chunk_extension_bytes = 64;
  limits.trailer_bytes = 64;

  chunked_body whole(limits);
  std::string content;
  const auto used = whole.feed(octets, content);

  chunked_body single(limits);
  std::string single_content;
  std::size_t single_used = 0;
  while (single_used < size && single.status() == chunked_body::state::incomplete) {
    const auto n = single.feed(octets.substr(single_used, 1), single_content);
    if (n == 0)
      break; // refused at this octet
    single_used += n;
  }
  const bool complete = whole.status() == chunked_body::state::complete;
  if (whole.status() != single.status() || content != single_content || content.size() > 512 ||
      (complete && used != single_used))
    std::abort();
  return 0;
}
