#include "http/codec/gzip.hpp"

#include <limits>
#include <memory>

#include <zlib.h>

namespace assay::http {

std::optional<std::string> to_gzip(std::string_view text) {
  // Large bodies are remembered and compressed once; small ones are compressed while a client
  // waits, where the last percents are not worth their time.
  constexpr std::size_t large = 256 * 1024;
  constexpr int gzip_window = 15 + 16;
  constexpr int memory_level = 8;
  if (text.size() > std::numeric_limits<uInt>::max() / 2)
    return std::nullopt;
  z_stream stream{};
  if (deflateInit2(&stream, text.size() > large ? 6 : 4, Z_DEFLATED, gzip_window, memory_level,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    return std::nullopt;
  const std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&stream, deflateEnd);
  std::string out(deflateBound(&stream, static_cast<uLong>(text.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  if (deflate(&stream, Z_FINISH) != Z_STREAM_END)
    return std::nullopt;
  out.resize(stream.total_out);
  return out;
}

} // namespace assay::http
