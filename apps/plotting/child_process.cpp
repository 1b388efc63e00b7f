#include "plotting/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <stdexcept>
#include <string_view>

extern char** environ;  // NOLINT: POSIX declares it nowhere

namespace arthron::cli {
namespace {

/// Both ends of a connection to the child; neither outlives this nor is inherited.
class Ends {
 public:
  /// A pair of sockets where this process writes: one that is gone is then an error and no signal, as it would be of a pipe.
  explicit Ends(bool sockets) {
    if ((sockets ? socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends_.data()) : pipe2(ends_.data(), O_CLOEXEC)) != 0)
      throw std::runtime_error("no connection to a child process can be made");
  }
  Ends(const Ends&) = delete;
  Ends& operator=(const Ends&) = delete;
  ~Ends() { close_end(0), close_end(1); }

  [[nodiscard]] int operator[](std::size_t end) const { return ends_[end]; }
  [[nodiscard]] bool open(std::size_t end) const { return ends_[end] >= 0; }
  void close_end(std::size_t end) {
    if (open(end)) ::close(ends_[end]);
    ends_[end] = -1;
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

constexpr std::size_t reads = 0, writes = 1;

/// Writes what the child takes at once.
void feed(Ends& in, std::string_view& rest) {
  const ssize_t sent = ::send(in[writes], rest.data(), rest.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent > 0) rest.remove_prefix(sent);
  if (rest.empty() || (sent < 0 && errno != EAGAIN && errno != EINTR)) in.close_end(writes);
}

void drain(Ends& out, std::string& text) {
  std::array<char, 65536> buffer;
  const ssize_t count = ::read(out[reads], buffer.data(), buffer.size());
  if (count > 0) text.append(buffer.data(), count);
  if (count == 0 || (count < 0 && errno != EINTR)) out.close_end(reads);
}

void converse(Ends& in, Ends& out, Ends& err, std::string_view input, ChildOutcome& outcome) {
  while (out.open(reads) || err.open(reads)) {
    std::array<pollfd, 3> waiting = {{{in[writes], POLLOUT, 0}, {out[reads], POLLIN, 0}, {err[reads], POLLIN, 0}}};
    if (::poll(waiting.data(), waiting.size(), -1) < 0) continue;  // a signal
    if (waiting[0].revents != 0) feed(in, input);
    if (waiting[1].revents != 0) drain(out, outcome.out);
    if (waiting[2].revents != 0) drain(err, outcome.err);
  }
}

}  // namespace

ChildOutcome run_child(const std::vector<std::string>& command, const std::string& input) {
  Ends in(true), out(false), err(false);
  std::vector<std::string> words = command;
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[reads], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out[writes], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err[writes], STDERR_FILENO);
  pid_t child = 0;
  const int trouble = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ChildOutcome outcome;
  if (trouble != 0) return outcome;

  outcome.started = true;
  in.close_end(reads), out.close_end(writes), err.close_end(writes);
  converse(in, out, err, input, outcome);
  in.close_end(writes);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
  return outcome;
}

}  // namespace arthron::cli
