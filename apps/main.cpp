#include <unistd.h>

#include <iostream>

#include "cli.hpp"

int main(int argc, char** argv) { return arthron::cli::run(argc, argv, {std::cout, std::cerr, isatty(STDERR_FILENO) == 1}); }
