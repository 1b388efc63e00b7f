# How every target of this project is compiled. arthron_options reaches no installed target's interface.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

find_program(ARTHRON_CCACHE ccache)
if(ARTHRON_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${ARTHRON_CCACHE}")
endif()

set(march "${ARTHRON_MARCH}")
if(march STREQUAL "auto")
  include(CheckCXXSourceRuns)
  check_cxx_source_runs("
    int main() {
      const bool v3 = __builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"fma\") && __builtin_cpu_supports(\"bmi\") &&
                      __builtin_cpu_supports(\"bmi2\");
      return v3 ? 0 : 1;
    }" ARTHRON_CPU_IS_X86_64_V3)
  set(march "")
  if(ARTHRON_CPU_IS_X86_64_V3)
    set(march x86-64-v3)
  endif()
endif()

# False alarms: GCC 12 sees overlapping copies in plain string concatenation at -O3 (bug 105651); later ones take any reference that a
# function returns for a part of the temporary it was called with.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    set(false_alarms -Wno-restrict)
  else()
    set(false_alarms -Wno-dangling-reference)
  endif()
endif()

add_library(arthron_options INTERFACE)
target_compile_options(arthron_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wdouble-promotion -Wold-style-cast -Wcast-align -Wcast-qual
  -Wnon-virtual-dtor -Woverloaded-virtual -Wextra-semi -Wformat=2 -Wimplicit-fallthrough -Wunused -Wundef
  $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond> $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-branches> $<$<CXX_COMPILER_ID:GNU>:-Wlogical-op>
  ${false_alarms}
  -Wno-psabi  # four-lane vectors are passed by value only where they are inlined
  $<$<BOOL:${ARTHRON_WARNINGS_AS_ERRORS}>:-Werror>
  $<$<BOOL:${march}>:-march=${march}>)
if(ARTHRON_SANITIZE)
  target_compile_options(arthron_options INTERFACE -fsanitize=${ARTHRON_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(arthron_options INTERFACE -fsanitize=${ARTHRON_SANITIZE})
  # Taskflow's fences are invisible to the thread sanitizer, which GCC says at every inclusion.
  target_compile_options(arthron_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-tsan>)
endif()
