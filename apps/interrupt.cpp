#include "interrupt.hpp"

namespace arthron::cli {
namespace {

volatile std::sig_atomic_t interrupt_flag = 0;

extern "C" void raise_flag(int) { interrupt_flag = 1; }

}  // namespace

InterruptGuard::InterruptGuard() {
  interrupt_flag = 0;
  struct sigaction action = {};
  action.sa_handler = raise_flag;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, &old_interrupt_);
  sigaction(SIGTERM, &action, &old_terminate_);
}

InterruptGuard::~InterruptGuard() {
  sigaction(SIGINT, &old_interrupt_, nullptr);
  sigaction(SIGTERM, &old_terminate_, nullptr);
}

bool InterruptGuard::raised() const { return interrupt_flag != 0; }

}  // namespace arthron::cli
