#include "model_words.hpp"

#include <algorithm>
#include <iomanip>
#include <iterator>
#include <sstream>

#include "arthron/formulation/formulation.hpp"

namespace arthron::cli {
namespace {

template <class Elements, class Wanted>
Elements only(const Elements& elements, const Wanted& wanted) {
  Elements some;
  std::copy_if(elements.begin(), elements.end(), std::back_inserter(some), wanted);
  return some;
}

}  // namespace

std::string formulation_list() {
  const std::vector<std::string> names = formulation_names();
  std::string text = names.front();
  for (std::size_t i = 1; i < names.size(); ++i) text += (i + 1 < names.size() ? ", " : " or ") + names[i];
  return text;
}

std::string masses(const Model& model) {
  double mass = 0;
  Vec3 moment;
  for (const Body& body : model.bodies) {
    if (body.ground) continue;
    mass += body.mass;
    moment += body.mass * body.com;
  }
  std::ostringstream text;
  text << std::setprecision(6) << "total mass " << mass << " kg";
  if (mass > 0)
    text << ", centre of mass at (" << moment.x / mass << ", " << moment.y / mass << ", " << moment.z / mass
         << ") m in the design position";
  return text.str();
}

std::vector<std::string> open_ports(const Model& model) {
  constexpr const char* kinds[] = {"mount", "output", "signal input"};
  std::vector<std::string> list;
  for (const Port& port : model.ports)
    if (!port.connected && port.kind != Port::Kind::signal_output)
      list.push_back(port.path + " (" + kinds[static_cast<int>(port.kind)] + ")");
  return list;
}

std::vector<Body> moving_bodies(const Model& model) {
  return only(model.bodies, [](const Body& body) { return !body.ground; });
}

std::vector<Body> grounds(const Model& model) {
  return only(model.bodies, [](const Body& body) { return body.ground; });
}

std::vector<Joint> driven_joints(const Model& model) {
  return only(model.joints, [](const Joint& joint) { return !joint.motion.empty(); });
}

}  // namespace arthron::cli
