#include "arthron/core/text_file.hpp"

#include <filesystem>
#include <fstream>
#include <new>

namespace arthron {

namespace {

namespace fs = std::filesystem;

std::string too_large(std::uintmax_t most) { return "a file of more than " + std::to_string(most >> 20) + " MB"; }

/// A pipe does not say how much is coming, and a file may grow meanwhile.
std::string read_all(std::ifstream& stream, std::uintmax_t expected, std::uintmax_t most, std::string& trouble) {
  constexpr std::size_t piece = 1 << 16;
  std::string text;
  std::size_t size = 0;
  do {
    text.resize(size + (size < expected ? expected - size : piece));
    stream.read(text.data() + size, static_cast<std::streamsize>(text.size() - size));
    size += static_cast<std::size_t>(stream.gcount());
  } while (stream.good() && size <= most);
  if (stream.bad()) trouble = "a file that cannot be read";
  if (size > most) trouble = too_large(most);
  text.resize(trouble.empty() ? size : 0);
  return text;
}

}  // namespace

std::string read_text(const std::string& file, std::string& trouble, std::uintmax_t most) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (!fs::exists(status)) return trouble = "no such file", "";
  if (fs::is_directory(status)) return trouble = "a directory", "";
  const bool regular = fs::is_regular_file(status);
  if (!regular && !fs::is_fifo(status)) return trouble = "a device, which is no file", "";
  const std::uintmax_t size = regular ? fs::file_size(file, error) : 0;
  if (error) return trouble = "a file that cannot be read", "";
  if (size > most) return trouble = too_large(most), "";
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return trouble = "a file that cannot be read", "";
  try {
    return read_all(stream, size, most, trouble);
  } catch (const std::bad_alloc&) {
    return trouble = "a file that does not fit into the memory", "";
  }
}

}  // namespace arthron
