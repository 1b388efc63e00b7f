#include "support/fuzz/corpus.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "cli.hpp"
#include "support/full_model.hpp"
#include "support/fuzz/files.hpp"

namespace arthron::fuzz {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Files below a folder, in an order that is the same everywhere.
std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && entry.file_size() < 200'000) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

void texts_in(const Json& json, std::vector<std::string>& texts) {
  if (json.is_string()) texts.push_back(json.get<std::string>());
  if (json.is_structured())
    for (const Json& child : json) texts_in(child, texts);
}

/// Lets the program write something that is damaged later. It must be able to.
void make(const std::vector<std::string>& arguments) {
  std::vector<const char*> argv = {"arthron"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  std::ostringstream out, err;
  if (cli::run(static_cast<int>(argv.size()), argv.data(), {out, err}) != cli::ExitCode::success)
    throw std::runtime_error("the corpus cannot be made: " + arguments[0] + " " + arguments[1] + "\n" + err.str());
}

}  // namespace

std::vector<std::string> link_libraries(const std::string& root, const std::string& built) {
  std::vector<std::string> links;
  const fs::path examples = fs::path(built) / "examples/plugins";
  if (!fs::exists(examples)) return links;
  for (const auto& example : fs::directory_iterator(examples)) {
    const std::string name = example.path().filename().string(), place = "examples/plugins/" + name + "/build/libacme_" + name + ".so";
    const fs::path library = example.path() / "build" / ("libacme_" + name + ".so");
    if (!fs::exists(library)) continue;
    fs::create_directories((fs::path(root) / place).parent_path());
    if (!fs::exists(fs::path(root) / place)) fs::create_symlink(library, fs::path(root) / place);
    links.push_back(place);
  }
  std::sort(links.begin(), links.end());
  return links;
}

Corpus::Corpus(const std::string& root, const std::string& repository, const std::string& built) {
  fs::current_path(root);
  copy_repository(repository);
  add_models();
  make_results();
  copy_libraries(built);
}

void Corpus::take(const std::string& file) {
  texts_[file] = read_file(file);
  if (file.ends_with(".json") && texts_[file].size() < 20'000) donors_.add(texts_[file]);
}

void Corpus::copy_repository(const std::string& repository) {
  write_file("made/full_model.json", testing::full_model);
  take("made/full_model.json");
  const fs::path root(repository);
  for (const char* folder : {"examples", "subsystems", "tests/data/fuzz/corpus"}) {
    for (const fs::path& file : files_below(root / folder)) {
      const std::string extension = file.extension().string();
      if (extension != ".json" && extension != ".csv" && extension != ".obj" && extension != ".stl") continue;
      const fs::path place = fs::relative(file, root);
      fs::create_directories(place.parent_path());
      fs::copy_file(file, place);
      take(place.string());
    }
  }
}

void Corpus::copy_libraries(const std::string& built) {
  for (const std::string& library : link_libraries(".", built)) {
    texts_[library] = read_file(library);
    subjects_[static_cast<std::size_t>(Subject::Kind::plugin)].push_back({Subject::Kind::plugin, "damaged.so", {library}, "", ""});
  }
}

/// Files that a file names, and those that these name.
std::vector<std::string> Corpus::needed(const std::string& file) const {
  std::vector<std::string> files{file};
  for (std::size_t i = 0; i < files.size(); ++i) {
    std::vector<std::string> words;
    if (files[i].ends_with(".json")) texts_in(Json::parse(texts_.at(files[i])), words);
    for (const std::string& word : words) {
      const std::string other = (fs::path(files[i]).parent_path() / word).lexically_normal().string();
      if (texts_.contains(other) && std::find(files.begin(), files.end(), other) == files.end()) files.push_back(other);
    }
  }
  return files;
}

void Corpus::add(Subject::Kind kind, const std::string& main) {
  subjects_[static_cast<std::size_t>(kind)].push_back({kind, main, needed(main), "", ""});
}

void Corpus::add_models() {
  for (const auto& [file, text] : texts_) {
    if (!file.ends_with(".json")) continue;
    const Json json = Json::parse(text);
    if (json.contains("arthron_study")) {
      if (file.starts_with("tests/")) add(Subject::Kind::study, file);  // the others are whole vehicles
      continue;
    }
    add(Subject::Kind::model, file);
    const bool holds_wheels = json.contains("ports") && (json["ports"].contains("hub") || json["ports"].contains("hub_left"));
    if (file.starts_with("subsystems/") && holds_wheels) add(Subject::Kind::suspension, file);
  }
}

void Corpus::make_results() {
  const std::vector<std::pair<std::string, std::string>> models = {{"made/full_model.json", ""},
                                                                   {"examples/four_post/four_post.json", "front"},
                                                                   {"examples/double_pendulum/double_pendulum.json", ""},
                                                                   {"examples/loop4/loop4.json", ""},
                                                                   {"subsystems/rigs/corner_rig.json", "corner"},
                                                                   {"examples/cart_pole/cart_pole.json", ""}};
  for (std::size_t i = 0; i < models.size(); ++i) {
    const auto& [model, part] = models[i];
    const std::string name = "made/" + fs::path(model).stem().string();
    const std::string state = name + ".state.json", recording = name + ".recording.json", table = name + ".csv";
    std::vector<std::string> arguments = {"run",      model, "--until",      "0.006", "--output-step", "0.002",   "--threads", "1",
                                          "--output", table, "--checkpoint", state,   "--recording",   recording, "--quiet"};
    if (i % 2 == 1) arguments.insert(arguments.end(), {"--integrator", "rk4"});
    make(arguments);
    for (const std::string& file : {state, recording, table}) take(file);
    const auto add_state = [&](const std::string& file, const std::string& path) {
      Subject subject{Subject::Kind::checkpoint, model, needed(model), file, path};
      subject.files.insert(subject.files.begin(), file);
      subjects_[static_cast<std::size_t>(Subject::Kind::checkpoint)].push_back(subject);
    };
    add_state(state, "");
    if (!part.empty()) {
      make({"run", model, "--until", "0.006", "--checkpoint", name + ".part.json", "--checkpoint-of", part, "--quiet"});
      take(name + ".part.json");
      add_state(name + ".part.json", part);
    }
    subjects_[static_cast<std::size_t>(Subject::Kind::recording)].push_back({Subject::Kind::recording, recording, {recording}, "", ""});
    subjects_[static_cast<std::size_t>(Subject::Kind::table)].push_back({Subject::Kind::table, table, {table}, "", ""});
  }
  make({"kc", "subsystems/double_wishbone/double_wishbone.json", "--output", "made/curves", "--bump", "0.02", "--steer", "0.01", "--step",
        "0.01"});
  Subject curves{Subject::Kind::curves, "made/curves", {}, "", ""};
  for (const fs::path& file : files_below("made/curves")) take(file.string()), curves.files.push_back(file.string());
  subjects_[static_cast<std::size_t>(Subject::Kind::curves)].push_back(curves);
}

std::size_t Corpus::size(const Subject& subject) const {
  std::size_t bytes = 0;
  for (const std::string& file : subject.files) bytes += texts_.at(file).size();
  return bytes;
}

}  // namespace arthron::fuzz
