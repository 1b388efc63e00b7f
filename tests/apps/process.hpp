#pragma once
#include <sys/wait.h>
#include <unistd.h>

#include <iostream>

#include "apps/program.hpp"

namespace arthron::test {

/// Starts a program with its outputs going to files of the folder.
inline pid_t start_command(const Folder& folder, std::vector<std::string> command) {
  std::cout.flush();  // or the child would write it again
  const pid_t child = fork();
  if (child != 0) return child;
  if (!std::freopen(folder.file("out").c_str(), "w", stdout) || !std::freopen(folder.file("err").c_str(), "w", stderr)) _exit(99);
  std::vector<char*> argv;
  for (std::string& argument : command) argv.push_back(argument.data());
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());
  _exit(99);
}

/// Starts the real program.
inline pid_t start(const Folder& folder, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), ARTHRON_PROGRAM);
  return start_command(folder, std::move(arguments));
}

inline int exit_code(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace arthron::test
