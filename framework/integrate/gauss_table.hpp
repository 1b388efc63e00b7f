#pragma once
#include <array>
#include <numbers>

/// Coefficients of the (s, s)-Gauss-Lobatto methods (L. O. Jay, SIAM J. Numer. Anal. 45, 2007): Gauss's s stages for the rates of the free
/// system, and impulses at the s + 1 Lobatto nodes that keep the constraints there. With b_i toward[i][n] + weight[n] reach[n][i] =
/// b_i weight[n] the step is symplectic, and symmetric; order 2 s. The impulse at the last node moves no stage and is not in `toward`.
namespace arthron::runge_kutta {

template <std::size_t s>
struct GaussTable {
  template <std::size_t rows, std::size_t columns>
  using Matrix = std::array<std::array<double, columns>, rows>;

  std::array<double, s> c, b;
  Matrix<s, s> a;
  std::array<double, s + 1> node, weight;  // of the impulses
  Matrix<s + 1, s> reach;                  // positions at the nodes from the rates of the stages
  Matrix<s, s> toward;                     // momenta of the stages from the impulses before the last
  Matrix<s, s> answer;                     // inverse of reach toward at the nodes behind the first: how impulses answer openings there
};

template <std::size_t s>
constexpr GaussTable<s> gauss_table();

/// The implicit midpoint rule.
template <>
constexpr GaussTable<1> gauss_table() {
  return {.c = {0.5},
          .b = {1},
          .a = {{{0.5}}},
          .node = {0, 1},
          .weight = {0.5, 0.5},
          .reach = {{{0}, {1}}},
          .toward = {{{0.5}}},
          .answer = {{{2}}}};
}

template <>
constexpr GaussTable<2> gauss_table() {
  constexpr double root = std::numbers::sqrt3;
  return {.c = {0.5 - root / 6, 0.5 + root / 6},
          .b = {0.5, 0.5},
          .a = {{{0.25, 0.25 - root / 6}, {0.25 + root / 6, 0.25}}},
          .node = {0, 0.5, 1},
          .weight = {1.0 / 6, 2.0 / 3, 1.0 / 6},
          .reach = {{{0, 0}, {0.25 + root / 8, 0.25 - root / 8}, {0.5, 0.5}}},
          .toward = {{{1.0 / 6, 1.0 / 3 - root / 6}, {1.0 / 6, 1.0 / 3 + root / 6}}},
          .answer = {{{16, -2}, {-8, 4}}}};
}

}  // namespace arthron::runge_kutta
