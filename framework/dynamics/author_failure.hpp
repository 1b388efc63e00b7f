#pragma once
#include "arthron/component/author_code.hpp"
#include "arthron/dynamics/workspace.hpp"

namespace arthron {

/// What author code has thrown, as a status; its words are in work.failure, and whatever was under way is given up.
[[nodiscard]] Status author_failure(const ComponentError& error, Workspace& work);

/// Calls what asks author code for numbers: functions of the kernel let pass what that throws, this turns it into a status.
template <class Call>
[[nodiscard]] Status guarded(Workspace& work, const Call& call) {
  try {
    return call();
  } catch (const ComponentError& error) {
    return author_failure(error, work);
  }
}

}  // namespace arthron
