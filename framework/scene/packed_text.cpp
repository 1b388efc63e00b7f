#include "arthron/scene/packed_text.hpp"

#include <zlib.h>

#include <algorithm>
#include <boost/archive/iterators/base64_from_binary.hpp>
#include <boost/archive/iterators/binary_from_base64.hpp>
#include <boost/archive/iterators/dataflow_exception.hpp>
#include <boost/archive/iterators/transform_width.hpp>

#include "arthron/core/diagnostic.hpp"

namespace arthron {

namespace {

namespace iterators = boost::archive::iterators;

constexpr int gzip_window = 15 + 16;  // zlib's way of asking for gzip's frame

std::string compressed(std::string_view bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, gzip_window, 9, Z_DEFAULT_STRATEGY) != Z_OK)
    throw InternalError("zlib can compress");
  std::string out(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
  std::string in(bytes);  // zlib promises to change nothing, but takes no const
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int result = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (result != Z_STREAM_END) throw InternalError("zlib's bound holds what it compresses");
  return out;
}

bool inflated(std::string in, std::size_t most, std::string& out) {
  z_stream stream{};
  if (inflateInit2(&stream, gzip_window) != Z_OK) throw InternalError("zlib can inflate");
  out.assign(most, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int result = inflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return result == Z_STREAM_END;
}

}  // namespace

std::string base64(std::string_view bytes) {
  using Text = iterators::base64_from_binary<iterators::transform_width<const char*, 6, 8>>;
  std::string text(Text(bytes.data()), Text(bytes.data() + bytes.size()));
  text.append((4 - text.size() % 4) % 4, '=');
  return text;
}

std::string packed_text(std::string_view bytes) { return base64(compressed(bytes)); }

bool unpack_text(std::string_view text, std::size_t most, std::string& bytes) {
  using Bytes = iterators::transform_width<iterators::binary_from_base64<const char*>, 8, 6>;
  while (text.ends_with('=')) text.remove_suffix(1);
  const std::size_t length = text.size() * 3 / 4;
  std::string packed;
  packed.reserve(length);
  try {
    Bytes next(text.data());
    for (std::size_t i = 0; i < length; ++i) packed.push_back(static_cast<char>(*next++));
  } catch (const iterators::dataflow_exception&) {
    return false;
  }
  return inflated(std::move(packed), most, bytes);
}

}  // namespace arthron
