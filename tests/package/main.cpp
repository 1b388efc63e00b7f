#include <arthron/components/builtins.hpp>
#include <arthron/model/load.hpp>
#include <iostream>

int main(int, char** arguments) {
  const arthron::Model model = arthron::load_model(arguments[1], arthron::builtin_registry());
  double mass = 0;
  for (const arthron::Body& body : model.bodies) mass += body.ground ? 0 : body.mass;
  std::cout << mass << " kg\n";
}
