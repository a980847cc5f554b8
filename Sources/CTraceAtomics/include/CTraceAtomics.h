// Atomic words in shared memory, as inline functions: nothing to compile, nothing to link.
// Swift's own atomics need iOS 18, and the recorder runs from iOS 13 on.

#ifndef CTRACEATOMICS_H
#define CTRACEATOMICS_H

#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

/// Adds, and returns the value before. Relaxed: the number alone matters.
static inline uint64_t lct_fetch_add(uint64_t *word, uint64_t amount) {
  return __atomic_fetch_add(word, amount, __ATOMIC_RELAXED);
}

static inline uint64_t lct_load_relaxed(const uint64_t *word) {
  return __atomic_load_n(word, __ATOMIC_RELAXED);
}

static inline uint64_t lct_load_acquire(const uint64_t *word) {
  return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static inline void lct_store_relaxed(uint64_t *word, uint64_t value) {
  __atomic_store_n(word, value, __ATOMIC_RELAXED);
}

static inline void lct_store_release(uint64_t *word, uint64_t value) {
  __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

/// Stores, with a full barrier before and after.
static inline void lct_store_ordered(uint64_t *word, uint64_t value) {
  __atomic_store_n(word, value, __ATOMIC_SEQ_CST);
}

static inline uint64_t lct_load_ordered(const uint64_t *word) {
  return __atomic_load_n(word, __ATOMIC_SEQ_CST);
}

/// Stores and returns the value before, with a full barrier.
static inline uint64_t lct_exchange(uint64_t *word, uint64_t value) {
  return __atomic_exchange_n(word, value, __ATOMIC_SEQ_CST);
}

/// Stores `desired` if the word holds `expected`. Returns 1 if it did.
static inline int lct_compare_exchange(uint64_t *word, uint64_t expected, uint64_t desired) {
  return __atomic_compare_exchange_n(
      word, &expected, desired, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

/// Keeps the compiler from moving loads and stores over this place. The processor may still.
static inline void lct_keep_order(void) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
