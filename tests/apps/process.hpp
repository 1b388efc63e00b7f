#pragma once
#include <sys/wait.h>
#include <unistd.h>

#include <iostream>

#include "apps/patience.hpp"
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

/// Whether the program catches this signal, and so is at work that can be interrupted.
inline bool catches(pid_t child, int signal) {
  std::ifstream status("/proc/" + std::to_string(child) + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("SigCgt:")) return (std::stoull(line.substr(7), nullptr, 16) >> (signal - 1)) & 1;
  return false;
}

/// Whether a file that the program writes has begun to fill. It has another name until it is whole.
inline bool fills(const Folder& folder, const std::string& name) {
  for (const std::string& other : folder.names())
    if (other.starts_with(name)) return !folder.read(other).empty();
  return false;
}

}  // namespace arthron::test
