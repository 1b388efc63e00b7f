#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "support/full_model.hpp"
#include "support/fuzz/json_damage.hpp"
#include "support/fuzz/text_damage.hpp"

using namespace arthron::fuzz;

namespace {

std::string damaged(std::uint64_t number) {
  Donors donors;
  donors.add(arthron::testing::full_model);
  Random random(7, number);
  return damaged_json(arthron::testing::full_model, donors, {"a.json"}, random);
}

}  // namespace

TEST_CASE("the same seed gives the same damage, another number another") {
  std::set<std::string> texts;
  for (std::uint64_t i = 0; i < 50; ++i) {
    CHECK(damaged(i) == damaged(i));
    texts.insert(damaged(i));
  }
  CHECK(texts.size() > 45);
}

TEST_CASE("most damaged texts are still JSON, some are not, and nearly all differ from the original in what they say") {
  const auto whole = nlohmann::ordered_json::parse(arthron::testing::full_model);
  int valid = 0, same = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    const auto json = nlohmann::ordered_json::parse(damaged(i), nullptr, false);
    valid += json.is_discarded() ? 0 : 1;
    same += json == whole ? 1 : 0;
  }
  CHECK(valid > 120);
  CHECK(valid < 190);
  CHECK(same < 40);  // equal entries change places, line ends change
}

TEST_CASE("damaged tables lose and gain cells, and may become none") {
  Random random(3);
  int ragged = 0;
  for (int i = 0; i < 200; ++i) {
    const std::string table = damaged_table("a,b\n1,2\n3,4\n", random);
    ragged += std::count(table.begin(), table.end(), ',') != 3 ? 1 : 0;
  }
  CHECK(ragged > 40);
  CHECK(ragged < 190);
}
