#include "support/fuzz/isolated.hpp"

#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>

#include "arthron/core/sanitizer.hpp"

namespace arthron::fuzz {

namespace {

#if ARTHRON_SANITIZER_ADDRESS || ARTHRON_SANITIZER_THREAD
constexpr bool reserves_memory = true;  // a sanitizer takes all addresses for itself
#else
constexpr bool reserves_memory = false;
#endif

extern "C" void interrupt(int) { std::raise(SIGINT); }

void set_timer(int timer, double seconds) {
  itimerval value{};
  value.it_value.tv_sec = static_cast<time_t>(seconds);
  value.it_value.tv_usec = static_cast<suseconds_t>((seconds - static_cast<double>(value.it_value.tv_sec)) * 1e6);
  setitimer(static_cast<__itimer_which>(timer), &value, nullptr);
}

[[noreturn]] void work_alone(const Limits& limits, const std::function<void()>& work) {
  if (!reserves_memory) {
    const rlimit memory{limits.memory, limits.memory};
    setrlimit(RLIMIT_AS, &memory);
  }
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  std::signal(SIGINT, SIG_IGN);  // until the program catches it
  std::signal(SIGVTALRM, interrupt);
  std::signal(SIGPROF, SIG_DFL);
  if (!std::freopen("/dev/null", "w", stdout) || !std::freopen("/dev/null", "w", stderr)) _exit(99);
  work();
  _exit(0);
}

}  // namespace

void start_clock(const Limits& limits, double interrupt_after) {
  set_timer(ITIMER_PROF, limits.processor_seconds);
  set_timer(ITIMER_VIRTUAL, interrupt_after);
  alarm(static_cast<unsigned>(limits.wall_seconds));
}

std::string run_isolated(const Limits& limits, const std::function<void()>& work) {
  std::cout.flush();  // or the child would write it again
  const pid_t child = fork();
  if (child == 0) work_alone(limits, work);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status)) return WEXITSTATUS(status) == 0 ? "" : "the process ends with " + std::to_string(WEXITSTATUS(status));
  const int signal = WTERMSIG(status);
  if (signal == SIGPROF) return "hangs: more than " + std::to_string(limits.processor_seconds) + " s";
  if (signal == SIGALRM) return "hangs: waits more than " + std::to_string(limits.wall_seconds) + " s";
  return std::string("crashes: ") + strsignal(signal);
}

}  // namespace arthron::fuzz
