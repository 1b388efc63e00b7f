#pragma once
#include <vector>

#include "arthron/dynamics/workspace.hpp"

namespace arthron {

/// What every subsystem says as mounted, with all that hangs on it: read off the factors that an evaluation by folding leaves, subsystem by
/// subsystem from the innermost outward. Numbers alone, for reading often; `mounted_handles` gives them names.
class MountedHandles {
 public:
  /// What a subsystem has on one body; rows of the loops that are closed with it come first, and have been eliminated.
  struct Read {
    struct Group {
      int closure = 0, first = 0, count = 0;
    };
    int subsystem = 0, base = 0;
    std::vector<Group> complete, open;
    int rows = 0, first_open = 0;
    WideInertia M;
    Wide6 b;
    std::vector<double> X, gamma, g;  // X by components, gamma by rows, of all rows

    [[nodiscard]] const Group* group_of(int closure) const;
  };

  /// Of a Plan that folds, with branches one by one.
  explicit MountedHandles(const Plan& plan);
  /// After `evaluate`, not followed by accelerations. Allocates nothing.
  void read(const Workspace& work);
  /// Of every subsystem with bodies, one for each body that it hangs on; nested ones before those around them.
  [[nodiscard]] const std::vector<Read>& all() const { return reads_; }

 private:
  /// Where something's open rows go.
  struct Source {
    int from = 0;  // a body, or one of all()
    std::vector<int> to;
  };
  struct Sources {
    std::vector<Source> branches, nested;
  };
  void lay_out(int subsystem, int base, const std::vector<int>& branches);
  void place_rows(Read& read, Source& source, const std::vector<Read::Group>& groups);
  void add_branch(const Source& source, Read& read, const Workspace& work) const;
  void add_nested(const Source& source, Read& read) const;
  void close_rows(Read& read, const Workspace& work) const;

  const Plan& plan_;
  const std::vector<int> home_;  // per body, its subsystem
  std::vector<Read> reads_;
  std::vector<Sources> sources_;
};

}  // namespace arthron
