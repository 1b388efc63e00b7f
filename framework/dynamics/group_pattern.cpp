#include <algorithm>

#include "arthron/dynamics/group_numbers.hpp"

namespace arthron {

namespace {

using std::size_t;

/// The rows of a closure at a node.
struct Block {
  int first, last;
};

std::vector<Block> blocks_of(const GroupNode& node) {
  std::vector<Block> blocks;
  for (int r = 0; r < node.rows; ++r) {
    const bool starts = r == 0 || r == node.closing || node.cut_of_row[r - 1] != node.cut_of_row[r];
    if (starts) blocks.push_back({r, r});
    blocks.back().last = r + 1;
  }
  return blocks;
}

/// Which closures' rows are coupled: those that somebody passes numbers of on to the node, and those that elimination couples.
std::vector<std::vector<bool>> couplings(const GroupNode& node, const std::vector<Block>& blocks) {
  std::vector<bool> apart(node.rows * node.rows, false);
  for (const int place : node.apart) apart[place] = true;
  std::vector<std::vector<bool>> coupled(blocks.size(), std::vector<bool>(blocks.size(), false));
  for (size_t a = 0; a < blocks.size(); ++a)
    for (size_t b = a + 1; b < blocks.size(); ++b)
      for (int r = blocks[a].first; r < blocks[a].last; ++r)
        for (int s = blocks[b].first; s < blocks[b].last; ++s) coupled[a][b] = coupled[a][b] || !apart[node.place(r, s)];
  for (size_t a = 0; a < blocks.size() && blocks[a].first < node.closing; ++a)
    for (size_t b = a + 1; b < blocks.size(); ++b)
      for (size_t c = b + 1; c < blocks.size(); ++c) coupled[b][c] = coupled[b][c] || (coupled[a][b] && coupled[a][c]);
  return coupled;
}

}  // namespace

GroupPattern find_pattern(const SimdGroup& group) {
  GroupPattern pattern;
  pattern.first.reserve(group.rows + 1);
  for (const GroupNode& node : group.nodes) {
    const std::vector<Block> blocks = blocks_of(node);
    const std::vector<std::vector<bool>> coupled = couplings(node, blocks);
    for (size_t a = 0; a < blocks.size(); ++a)
      for (int r = blocks[a].first; r < blocks[a].last; ++r) {
        pattern.first.push_back(static_cast<int>(pattern.partner.size()));
        if (r >= node.closing) continue;
        for (int s = r + 1; s < blocks[a].last; ++s) pattern.partner.push_back(s);
        for (size_t b = a + 1; b < blocks.size(); ++b)
          for (int s = blocks[b].first; coupled[a][b] && s < blocks[b].last; ++s) pattern.partner.push_back(s);
      }
  }
  pattern.first.push_back(static_cast<int>(pattern.partner.size()));
  pattern.partner.shrink_to_fit();
  return pattern;
}

}  // namespace arthron
