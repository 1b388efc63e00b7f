#pragma once

/// Which sanitizer this build runs under: 1 or 0. GCC says it with macros of its own, Clang with features.

#if defined(__has_feature)
#define ARTHRON_HAS_FEATURE(feature) __has_feature(feature)
#else
#define ARTHRON_HAS_FEATURE(feature) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || ARTHRON_HAS_FEATURE(address_sanitizer)
#define ARTHRON_SANITIZER_ADDRESS 1
#else
#define ARTHRON_SANITIZER_ADDRESS 0
#endif

#if defined(__SANITIZE_THREAD__) || ARTHRON_HAS_FEATURE(thread_sanitizer)
#define ARTHRON_SANITIZER_THREAD 1
#else
#define ARTHRON_SANITIZER_THREAD 0
#endif
