#pragma once
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "arthron/spatial/vector3.hpp"

namespace arthron::test {

/// Hardpoints of a double wishbone corner with crooked arms, left side.
struct Hardpoints {
  Vec3 lower_front{0.16, 0.37, 0.19}, lower_rear{-0.21, 0.39, 0.2}, lower_ball{0.012, 0.7, 0.18};
  Vec3 upper_front{0.11, 0.46, 0.46}, upper_rear{-0.15, 0.44, 0.43}, upper_ball{-0.02, 0.655, 0.465};
  Vec3 rod_inner{-0.12, 0.4, 0.245}, rod_outer{-0.135, 0.69, 0.24};
  Vec3 centre{0.004, 0.75, 0.31}, axis{0.01, 1, -0.015};
  Vec3 strut_top{0.01, 0.5, 0.62}, strut_foot{0.005, 0.62, 0.2};
};

/// The corner as a file: arms on revolutes, balls, a tie rod as `distance` joint, a spring on the lower arm, a hub that spins in a bearing.
inline nlohmann::ordered_json corner_json(const Hardpoints& at = {}) {
  using Json = nlohmann::ordered_json;
  const auto list = [](const Vec3& v) { return Json{v.x, v.y, v.z}; };
  const auto between = [&](const Vec3& a, const Vec3& b) { return list(b - a); };
  const auto body = [&](double mass, const Vec3& com, double inertia) -> Json {
    return {{"mass", mass}, {"com", list(com)}, {"inertia", {inertia, 0.9 * inertia, 1.2 * inertia}}};
  };
  return {
      {"arthron", 1},
      {"name", "corner"},
      {"ports",
       {{"chassis", {{"mount", true}}},
        {"rack", {{"mount", true}}},
        {"hub", {{"output", "wheel"}, {"at", list(at.centre)}, {"axis", list(at.axis)}}}}},
      {"bodies",
       {{"lower_arm", body(3.5, 0.5 * (at.lower_front + at.lower_ball), 0.06)},
        {"upper_arm", body(2, 0.5 * (at.upper_front + at.upper_ball), 0.02)},
        {"upright", body(12, at.centre, 0.2)},
        {"wheel", body(15, at.centre, 0.7)}}},
      {"joints",
       {{"lower",
         {{"type", "revolute"},
          {"parent", "chassis"},
          {"child", "lower_arm"},
          {"at", list(at.lower_rear)},
          {"axis", between(at.lower_rear, at.lower_front)}}},
        {"upper",
         {{"type", "revolute"},
          {"parent", "chassis"},
          {"child", "upper_arm"},
          {"at", list(at.upper_rear)},
          {"axis", between(at.upper_rear, at.upper_front)}}},
        {"lower_ball", {{"type", "spherical"}, {"parent", "lower_arm"}, {"child", "upright"}, {"at", list(at.lower_ball)}}},
        {"upper_ball", {{"type", "spherical"}, {"parent", "upper_arm"}, {"child", "upright"}, {"at", list(at.upper_ball)}}},
        {"rod", {{"type", "distance"}, {"parent", "rack"}, {"child", "upright"}, {"from", list(at.rod_inner)}, {"at", list(at.rod_outer)}}},
        {"bearing", {{"type", "revolute"}, {"parent", "upright"}, {"child", "wheel"}, {"at", list(at.centre)}, {"axis", list(at.axis)}}}}},
      {"forces",
       {{"strut",
         {{"type", "spring_damper"},
          {"from", {"chassis", list(at.strut_top)}},
          {"to", {"lower_arm", list(at.strut_foot)}},
          {"stiffness", 38000},
          {"damping", 2500},
          {"free_length", 0.55}}}}}};
}

/// The same corner with two bushings in place of each arm's revolute, at the ends of its axis.
inline nlohmann::ordered_json bushed_corner_json(double stiffness, double rotational_stiffness, const Hardpoints& at = {}) {
  using Json = nlohmann::ordered_json;
  Json corner = corner_json(at);
  const auto hold = [&](const std::string& arm, const Vec3& front, const Vec3& rear) {
    corner["joints"][arm] = {{"type", "free"}, {"parent", "chassis"}, {"child", arm + "_arm"}, {"at", {front.x, front.y, front.z}}};
    for (const auto& [name, point] : {std::pair{"_front", front}, std::pair{"_rear", rear}}) {
      const Json place{point.x, point.y, point.z};
      corner["forces"][arm + name] = {{"type", "bushing"},
                                      {"from", {"chassis", place}},
                                      {"to", {arm + "_arm", place}},
                                      {"stiffness", stiffness},
                                      {"rotational_stiffness", rotational_stiffness}};
    }
  };
  hold("lower", at.lower_front, at.lower_rear);
  hold("upper", at.upper_front, at.upper_rear);
  return corner;
}

}  // namespace arthron::test
