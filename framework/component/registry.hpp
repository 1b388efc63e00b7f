#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "arthron/component/force.hpp"
#include "arthron/component/joint.hpp"

namespace arthron {

template <class J>
class JointTypeOf;
template <class F>
class ForceTypeOf;

/// Every component type a model may name. Filled by `register_builtins` and by plug-ins; read-only afterwards. Whoever adds types includes
/// joint_batch.hpp and force_batch.hpp; whoever reads them is spared these.
class Registry {
 public:
  template <class J>
  void add_joint() {
    add(std::make_shared<JointTypeOf<J>>());
  }
  template <class F>
  void add_force() {
    add(std::make_shared<ForceTypeOf<F>>());
  }

  /// Adds the types of another registry, except for those whose names are taken by others: these are returned, behind those who have them.
  struct Clash {
    const ComponentType *there, *fresh;
  };
  [[nodiscard]] std::vector<Clash> take_from(const Registry& other);

  /// Calls with every type.
  template <class Call>
  void for_each(const Call& call) {
    for (const auto& entry : joints_) call(static_cast<ComponentType&>(*entry.second));
    for (const auto& entry : forces_) call(static_cast<ComponentType&>(*entry.second));
  }

  /// nullptr when unknown.
  [[nodiscard]] const JointType* joint(const std::string& name) const;
  [[nodiscard]] const ForceType* force(const std::string& name) const;
  [[nodiscard]] const std::map<std::string, std::shared_ptr<JointType>>& joints() const { return joints_; }
  [[nodiscard]] const std::map<std::string, std::shared_ptr<ForceType>>& forces() const { return forces_; }

 private:
  void add(std::shared_ptr<JointType> type);
  void add(std::shared_ptr<ForceType> type);

  std::map<std::string, std::shared_ptr<JointType>> joints_;
  std::map<std::string, std::shared_ptr<ForceType>> forces_;
};

}  // namespace arthron
