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
  # What ccache asks of whoever precompiles headers; theirs use no __DATE__ and no macro of ours.
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros "${ARTHRON_CCACHE}")
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

# Structs are copied in whole registers: in halves, as GCC copies for this instruction set by itself, they could not be forwarded from the
# store buffer to whoever reads them whole.
set(whole_registers)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12 AND march STREQUAL "x86-64-v3")
  set(whole_registers -mmove-max=256 -mstore-max=256)
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
  $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess> "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>"  # for ccache
  $<$<BOOL:${march}>:-march=${march}> ${whole_registers})
if(ARTHRON_SANITIZE)
  target_compile_options(arthron_options INTERFACE -fsanitize=${ARTHRON_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(arthron_options INTERFACE -fsanitize=${ARTHRON_SANITIZE})
  # Taskflow's fences are invisible to the thread sanitizer, which GCC says at every inclusion.
  target_compile_options(arthron_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-tsan>)
endif()

# Headers of others that most folders include, parsed once. Those of the project stay out: by them every folder would see every other.
# JSON stays out too: what it instantiates at the end of every file costs those that do not use it more than parsing costs those that do.
file(CONFIGURE OUTPUT precompiled.cpp CONTENT "")
add_library(arthron_precompiled OBJECT "${CMAKE_CURRENT_BINARY_DIR}/precompiled.cpp")
target_link_libraries(arthron_precompiled PRIVATE arthron_options Eigen3::Eigen)
target_precompile_headers(arthron_precompiled PRIVATE
  <algorithm> <array> <charconv> <cmath> <cstdint> <functional> <limits> <map> <memory> <numeric> <optional> <ostream> <set> <span> <sstream>
  <stdexcept> <string> <string_view> <unordered_map> <utility> <vector> <Eigen/Core>)

# arthron_precompile(TARGET)
#
# Gives a library those headers. Its files with optimisation flags of their own must skip them: GCC would use the flags of the headers.
# GCC also forgets which false alarms the standard library silences within itself.
function(arthron_precompile target)
  target_precompile_headers(${target} REUSE_FROM arthron_precompiled)
  if(NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds> $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>)
  endif()
endfunction()
