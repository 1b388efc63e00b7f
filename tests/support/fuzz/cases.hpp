#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "support/fuzz/corpus.hpp"

namespace arthron::fuzz {

/// One input: a command, and a file that has been damaged for it.
struct Case {
  std::vector<std::string> arguments;
  std::string file, text;           // the damaged file and what it holds; no file where the command itself is damaged
  std::vector<std::string> needed;  // files of the corpus that it needs besides
  bool may_be_long = false;         // what the damage asks for may be much: it is interrupted after a while
};

/// The input of that number: the same on every machine, whatever inputs came before it.
[[nodiscard]] Case make_case(const Corpus& corpus, std::uint64_t seed, std::uint64_t number);

}  // namespace arthron::fuzz
