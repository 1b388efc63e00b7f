#pragma once
#include "arthron/component/table.hpp"
#include "arthron/spatial/lane_functions.hpp"
#include "arthron/spatial/per_lane.hpp"

/// Numbers and tables of laws that are written for any number type T: on Lanes those of several forces, else those of the first.
namespace arthron {

/// get(lane) in every lane; of numbers that are no lanes, what the first has.
template <class T, class Get>
T number_of_lanes(const Get& get) {
  if constexpr (std::is_same_v<T, Lanes>)
    return Lanes::each(get);
  else
    return T(get(0));
}
template <class T, class Get>
Vector3<T> vector_of_lanes(const Get& get) {
  return {number_of_lanes<T>([&](int lane) { return get(lane).x; }), number_of_lanes<T>([&](int lane) { return get(lane).y; }),
          number_of_lanes<T>([&](int lane) { return get(lane).z; })};
}

/// Whole numbers do not move.
ARTHRON_INLINE Lanes nearest_whole(const Lanes& x) { return lane_math::nearest_whole(x); }
inline double nearest_whole(double x) { return std::round(x); }
template <class T>
requires requires(const T& number) { number.d; }
T nearest_whole(const T& x) { return T(nearest_whole(x.value)); }

/// Tables, asked one by one.
template <class T>
class TablesOn {
 public:
  /// table(lane)
  template <class Of>
  explicit TablesOn(const Of& table) : tables_(per_lane<const Table*>(table)) {
    for (const Table* of : tables_) some_ = some_ || !of->empty();
  }
  /// What the table says at x; where there is none, `other`.
  [[nodiscard]] T at_or(const T& x, const T& other) const {
    if (!some_) return other;
    if constexpr (std::is_same_v<T, Lanes>) {
      return Lanes::each([&](int lane) { return tables_[lane]->empty() ? other[lane] : tables_[lane]->at(x[lane]).value; });
    } else {
      if (tables_[0]->empty()) return other;
      const Table::Sample sample = tables_[0]->at(x.value);
      return T(sample.value, sample.slope, x);
    }
  }

 private:
  PerLane<const Table*> tables_;
  bool some_ = false;
};

}  // namespace arthron
