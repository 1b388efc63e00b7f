#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "arthron/component/body.hpp"
#include "arthron/component/force.hpp"
#include "arthron/component/joint.hpp"

namespace arthron {

template <class J>
class JointTypeOf;
template <class F>
class ForceTypeOf;
class SubsystemType;
template <class S>
class SubsystemTypeOf;

/// Every component type a model may name. Filled by `register_builtins` and by plug-ins; read-only afterwards. Whoever adds types
/// includes joint_batch.hpp, force_batch.hpp or subsystem.hpp; whoever reads them is spared these.
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
  template <class B>
  void add_body() {
    add(std::make_shared<BodyTypeOf<B>>());
  }
  template <class S>
  void add_subsystem() {
    add(std::make_shared<SubsystemTypeOf<S>>());
  }

  /// Adds the types of another registry, except for those whose names are taken by others: these are returned, behind those who have them.
  struct Clash {
    const ComponentType *there, *fresh;
  };
  [[nodiscard]] std::vector<Clash> take_from(const Registry& other);

  /// Calls with every type.
  void for_each(const std::function<void(ComponentType&)>& call) const;

  /// nullptr when unknown.
  [[nodiscard]] const JointType* joint(const std::string& name) const;
  [[nodiscard]] const ForceType* force(const std::string& name) const;
  [[nodiscard]] const BodyType* body(const std::string& name) const;
  [[nodiscard]] const SubsystemType* subsystem(const std::string& name) const;
  [[nodiscard]] const std::map<std::string, std::shared_ptr<JointType>>& joints() const { return joints_; }
  [[nodiscard]] const std::map<std::string, std::shared_ptr<ForceType>>& forces() const { return forces_; }
  [[nodiscard]] const std::map<std::string, std::shared_ptr<BodyType>>& bodies() const { return bodies_; }
  [[nodiscard]] const std::map<std::string, std::shared_ptr<SubsystemType>>& subsystems() const { return subsystems_; }

 private:
  void add(std::shared_ptr<JointType> type);
  void add(std::shared_ptr<ForceType> type);
  /// Throws InternalError when it asks for keys that every body has.
  void add(std::shared_ptr<BodyType> type);
  /// Throws InternalError when it asks for keys that every subsystem has, or for what is not known when subsystems are built.
  void add(std::shared_ptr<SubsystemType> type);

  std::map<std::string, std::shared_ptr<JointType>> joints_;
  std::map<std::string, std::shared_ptr<ForceType>> forces_;
  std::map<std::string, std::shared_ptr<BodyType>> bodies_;
  std::map<std::string, std::shared_ptr<SubsystemType>> subsystems_;
};

}  // namespace arthron
