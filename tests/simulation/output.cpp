#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "arthron/simulation/csv.hpp"
#include "arthron/simulation/output_file.hpp"
#include "simulation/models.hpp"

using namespace arthron;
namespace fs = std::filesystem;

namespace {

/// An empty folder that goes away again.
struct Folder {
  fs::path path = fs::temp_directory_path() / ("arthron_output_test_" + std::to_string(::getpid()));
  Folder() { fs::remove_all(path), fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  [[nodiscard]] std::string file(const std::string& name) const { return (path / name).string(); }
  [[nodiscard]] long count() const { return std::distance(fs::directory_iterator(path), fs::directory_iterator()); }
};

std::string content(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("an output file appears at commit and not before") {
  const Folder folder;
  const std::string name = folder.file("rows.csv");
  OutputFile file(name, "--output");
  file.write("a,b\n");
  CHECK_FALSE(fs::exists(name));
  file.commit();
  CHECK(content(name) == "a,b\n");
  CHECK(folder.count() == 1);
}

TEST_CASE("an output file that is not committed leaves the old one and nothing else") {
  const Folder folder;
  const std::string name = folder.file("rows.csv");
  std::ofstream(name) << "old";
  { OutputFile(name, "--output").write("new"); }
  CHECK(content(name) == "old");
  CHECK(folder.count() == 1);
}

TEST_CASE("an output file behind a link replaces what the link points to") {
  const Folder folder;
  std::ofstream(folder.file("real.csv")) << "old";
  fs::create_symlink(folder.file("real.csv"), folder.file("link.csv"));
  OutputFile file(folder.file("link.csv"), "--output");
  file.write("new");
  file.commit();
  CHECK(fs::is_symlink(folder.file("link.csv")));
  CHECK(content(folder.file("real.csv")) == "new");
}

TEST_CASE("an output file that cannot be written is refused with the option's name") {
  const Folder folder;
  for (const std::string& name : {folder.file("none/rows.csv"), folder.path.string(), std::string()}) {
    CAPTURE(name);
    try {
      OutputFile file(name, "--output");
      FAIL("accepted");
    } catch (const ModelError& error) {
      CHECK(error.diagnostics().front().pointer == "--output");
    }
  }
  CHECK(folder.count() == 0);
}

TEST_CASE("a full disk is a mistake that is told") {
  if (!fs::exists("/dev/full")) return;
  OutputFile file("/dev/full", "--output");
  file.write("text");
  CHECK_THROWS_AS(file.commit(), ModelError);
  CHECK(fs::is_character_file("/dev/full"));
}

TEST_CASE("numbers in CSV read back exactly") {
  const std::vector<double> values = {0.1, 1.0 / 3, -1e-300, 123456789.123456789, std::numeric_limits<double>::min(), 5e-324};
  std::string text;
  append_csv_row(text, 0.25, values);
  CHECK(text.back() == '\n');
  std::istringstream in(text);
  std::string field;
  std::getline(in, field, ',');
  CHECK(std::stod(field) == 0.25);
  for (const double value : values) {
    std::getline(in, field, ',');
    CHECK(std::strtod(field.c_str(), nullptr) == value);
  }
}

TEST_CASE("the CSV header gives names and units, quoted where they hold a separator") {
  CHECK(csv_header({{"tip.position.x", "m"}, {"odd,name", "N m"}}) == "t [s],tip.position.x [m],\"odd,name [N m]\"\n");
}

TEST_CASE("the summary says drift only of a conservative model") {
  RunSummary summary;
  summary.conservative = true;
  CHECK(to_text(summary).find("energy drift") != std::string::npos);
  summary.conservative = false;
  CHECK(to_text(summary).find("energy drift") == std::string::npos);
  CHECK(to_text(summary).find("energy change") != std::string::npos);
  CHECK(nlohmann::json::parse(to_json(summary).dump()).at("outcome") == "finished");
}
