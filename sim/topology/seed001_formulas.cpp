// Closed forms and printed figures of seed 001.
#include "sim/topology/seed001_formulas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace weft::seed001 {
namespace {

// A row of table 1: parameters, and the mean distance printed beside them.
struct Row {
  std::vector<std::uint32_t> parameters;
  double printed;
};

std::optional<double> printed(const std::vector<Row>& table,
                              const std::vector<std::uint32_t>& parameters) {
  const auto row = std::find_if(table.begin(), table.end(),
                                [&](const Row& r) { return r.parameters == parameters; });
  return row != table.end() ? std::optional(row->printed) : std::nullopt;
}

double diameter(double n, double banyan, double cubes) {
  return banyan > 0 ? (banyan + cubes + 1) * n - 1 : (cubes + 2) * n - 2;
}

double mean_banyan(double n) {
  return 1.5 * (n - 1) + std::exp2(-n);
}

double mean_cubes(double n) {
  return 2 * n - 2.5 + std::exp2(1 - n);
}

// Sum of the binomial coefficients of `n` over 0 to `k`, and the last of them.
std::pair<double, double> binomials(unsigned n, unsigned k) {
  double coefficient = 1, sum = 1;
  for (unsigned j = 1; j <= k; ++j) {
    coefficient = coefficient * (n - j + 1) / j;
    sum += coefficient;
  }
  return {sum, coefficient};
}

// Mean distance of an MDCE by (5) and (6).
double mean_mdce(unsigned columns, unsigned banyan, unsigned cubes) {
  const double n = columns;
  double sum = 0;
  for (unsigned k = 1; k <= banyan; ++k) {
    const auto [to_k, coefficient] = binomials(banyan, k);
    const double below_k = binomials(banyan, k - 1).first;
    for (unsigned i = 1; i <= columns; ++i) {
      const double g = std::pow(to_k, i - 1) * coefficient * std::pow(below_k, n - i);
      sum += ((k - 1) * n + i + n * cubes / 2) * g;
    }
  }
  return sum / std::exp2(n * banyan) + (n - 1) / 2;
}

PaperFigures by_sizes(std::span<const std::uint32_t> dims, const std::vector<Row>& table,
                      unsigned part) {
  std::vector<std::uint32_t> sorted(dims.begin(), dims.end());
  std::sort(sorted.begin(), sorted.end());
  PaperFigures figures;
  figures.mean_distance = std::accumulate(dims.begin(), dims.end(), 0.0) / part;
  figures.formula = fmt::format("sum of the sizes / {}, as in table 1", part);
  figures.table1 = printed(table, sorted);
  return figures;
}

}  // namespace

PaperFigures dce(std::uint32_t columns, std::uint32_t y_bits, std::uint32_t delta) {
  static const std::vector<Row> table = {
      {{8, 7, 1}, 10.01}, {{16, 15, 1}, 22.00}, {{8, 7, 0}, 12.52}, {{16, 15, 0}, 28.50}};
  PaperFigures figures;
  if (delta > 1) return figures;
  figures.diameter = diameter(columns, delta, 1 - delta);
  figures.diameter_formula = "(1)";
  const std::uint32_t more = columns - y_bits;
  if (more <= 1) {
    figures.mean_distance = (delta == 1 ? mean_banyan(y_bits) : mean_cubes(y_bits)) + more;
    figures.formula = delta == 1 ? "(2)" : "(3)";
    if (more == 1) {
      figures.formula += fmt::format(" for n = {}, plus 1", y_bits);
      figures.note = "the formulas are for as many columns as bits; table 1 adds 1 for one more";
    }
  }
  figures.table1 = printed(table, {columns, y_bits, delta});
  return figures;
}

PaperFigures mdce(std::uint32_t columns, std::uint32_t banyan, std::uint32_t cubes,
                  std::uint32_t rings) {
  static const std::vector<Row> table = {
      {{4, 2, 0, 1}, 8.15}, {{8, 2, 0, 1}, 18.61}, {{4, 1, 1, 1}, 6.44}, {{8, 1, 1, 1}, 14.49}};
  PaperFigures figures;
  figures.diameter = diameter(columns, banyan, cubes);
  figures.diameter_formula = "(1)";
  if (banyan > 0) {
    figures.mean_distance = mean_mdce(columns, banyan, cubes);
    figures.formula = "(6)";
    if (cubes > 0) figures.note = "(6) is exact only without cube-connected cycles planes";
  } else if (cubes == 1) {
    figures.mean_distance = mean_cubes(columns);
    figures.formula = "(3)";
  }
  figures.table1 = printed(table, {columns, banyan, cubes, rings});
  if (figures.table1 && banyan == 2) {
    figures.note = "table 1's figure follows from no definition in the paper";
  }
  return figures;
}

PaperFigures mesh(std::span<const std::uint32_t> dims) {
  static const std::vector<Row> table = {{{32, 32}, 32.00}, {{512, 1024}, 768.00}};
  PaperFigures figures = by_sizes(dims, table, 2);
  figures.note = "the mean over pairs is nearly the sum of the sizes / 3";
  return figures;
}

PaperFigures torus(std::span<const std::uint32_t> dims) {
  static const std::vector<Row> table = {
      {{32, 32}, 16.00}, {{512, 1024}, 384.00}, {{8, 8, 16}, 8.00}, {{64, 64, 128}, 64.00}};
  return by_sizes(dims, table, 4);
}

PaperFigures fat_tree(std::uint32_t levels) {
  static const std::vector<Row> table = {{{10}, 17.00}, {{19}, 35.00}};
  PaperFigures figures;
  if (levels < 2) return figures;
  figures.mean_distance = 2.0 * levels - 3;
  figures.formula = "2 levels - 3, as in table 1";
  figures.table1 = printed(table, {levels});
  return figures;
}

PaperFigures omega(std::uint32_t levels) {
  static const std::vector<Row> table = {{{10}, 10.00}, {{19}, 19.00}};
  PaperFigures figures;
  figures.mean_distance = levels;
  figures.formula = "levels, as in table 1";
  figures.table1 = printed(table, {levels});
  return figures;
}

}  // namespace weft::seed001
