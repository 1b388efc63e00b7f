# cmake -D OUTPUT=... -D FOLDER=... -P EmbedTemplates.cmake
#
# Writes a source file that holds every file of FOLDER/KIND as text, for `arthron new`.
file(GLOB files RELATIVE "${FOLDER}" "${FOLDER}/*/*")
list(SORT files)
set(entries "")
foreach(file IN LISTS files)
  cmake_path(GET file PARENT_PATH kind)
  cmake_path(GET file FILENAME name)
  file(READ "${FOLDER}/${file}" text)
  string(APPEND entries "    {\"${kind}\", \"${name}\", R\"template(${text})template\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "#include \"templates.hpp\"\n\nnamespace arthron::cli {\n
const std::vector<Template>& templates() {
  static const std::vector<Template> all = {\n${entries}  };
  return all;
}\n
}  // namespace arthron::cli\n")
