#include "arthron/component/plugin_file.hpp"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <vector>

namespace arthron {

namespace {

/// Reads plain data at a place of a file; false when it is not all there.
template <class Data>
bool read_at(std::ifstream& file, std::uint64_t place, Data* data, std::size_t count = 1) {
  file.clear();
  file.seekg(static_cast<std::streamoff>(place));
  file.read(reinterpret_cast<char*>(data), static_cast<std::streamsize>(count * sizeof(Data)));
  return file.good();
}

bool is_shared_library(const Elf64_Ehdr& head) {
  return std::memcmp(head.e_ident, ELFMAG, SELFMAG) == 0 && head.e_ident[EI_CLASS] == ELFCLASS64 && head.e_type == ET_DYN &&
         head.e_shentsize == sizeof(Elf64_Shdr);
}

/// The section of that name; empty when there is none.
std::optional<Elf64_Shdr> find_section(std::ifstream& file, const Elf64_Ehdr& head, std::string_view name) {
  std::vector<Elf64_Shdr> sections(head.e_shnum);
  if (head.e_shstrndx >= sections.size() || !read_at(file, head.e_shoff, sections.data(), sections.size())) return {};
  std::string there(name.size() + 1, '\0');
  for (const Elf64_Shdr& section : sections)
    if (read_at(file, sections[head.e_shstrndx].sh_offset + section.sh_name, there.data(), there.size()) && there.c_str() == name)
      return section;
  return {};
}

/// True when the file holds all that it says is to be laid into memory. The loader maps what is not there too, and the process dies at the
/// first access.
bool is_whole(std::ifstream& file, const Elf64_Ehdr& head) {
  file.clear();
  file.seekg(0, std::ios::end);
  const auto size = static_cast<std::uint64_t>(file.tellg());
  std::vector<Elf64_Phdr> segments(head.e_phnum);
  if (segments.empty() || head.e_phentsize != sizeof(Elf64_Phdr) || !read_at(file, head.e_phoff, segments.data(), segments.size()))
    return false;
  return std::all_of(segments.begin(), segments.end(), [&](const Elf64_Phdr& segment) {
    return segment.p_filesz == 0 || (segment.p_offset <= size && segment.p_filesz <= size - segment.p_offset);
  });
}

}  // namespace

std::optional<PluginRecord> read_plugin_record(const std::string& file, std::string& trouble) {
  std::ifstream stream(file, std::ios::binary);
  Elf64_Ehdr head;
  if (!stream.is_open()) return trouble = "a file that cannot be read", std::nullopt;
  if (!read_at(stream, 0, &head) || !is_shared_library(head)) return trouble = "which is no shared library", std::nullopt;
  if (!is_whole(stream, head)) return trouble = "a shared library of which a part is missing", std::nullopt;
  const std::optional<Elf64_Shdr> section = find_section(stream, head, PluginRecord::section);
  PluginRecord record;
  if (!section || section->sh_size < sizeof record || !read_at(stream, section->sh_offset, &record) ||
      std::string_view(record.magic, PluginRecord::signature.size()) != PluginRecord::signature)
    return trouble = "a shared library that is no plug-in: it has no ARTHRON_PLUGIN", std::nullopt;
  if (record.layout != PluginRecord().layout) return trouble = "a plug-in for another kind of program", std::nullopt;
  return record;
}

}  // namespace arthron
