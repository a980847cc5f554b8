// Threads, locks and values of threads, as inline functions: their types differ between systems,
// and with these no Swift code has to know.

#ifndef CTRACETHREADS_H
#define CTRACETHREADS_H

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <errno.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#if defined(__APPLE__)
#include <sys/sysctl.h>
#endif
#if defined(__linux__) && __has_include(<linux/membarrier.h>)
#include <linux/membarrier.h>
#include <sys/syscall.h>
#define LCT_HAS_MEMBARRIER 1
#endif
#include <stdint.h>
#include <stdlib.h>

/// A key of thread-specific values, or 0. `ended` gets the value of a thread that ends.
static inline uint64_t lct_key_create(void (*ended)(void *)) {
  pthread_key_t key;
  return pthread_key_create(&key, ended) == 0 ? (uint64_t)key + 1 : 0;
}

static inline void lct_key_delete(uint64_t key) {
  if (key) pthread_key_delete((pthread_key_t)(key - 1));
}

static inline void *lct_key_get(uint64_t key) {
  return pthread_getspecific((pthread_key_t)(key - 1));
}

static inline int lct_key_set(uint64_t key, void *value) {
  return pthread_setspecific((pthread_key_t)(key - 1), value);
}

static inline void *lct_lock_create(void) {
  pthread_mutex_t *lock = (pthread_mutex_t *)malloc(sizeof *lock);
  if (lock && pthread_mutex_init(lock, NULL) != 0) {
    free(lock);
    lock = NULL;
  }
  return lock;
}

static inline void lct_lock(void *lock) { pthread_mutex_lock((pthread_mutex_t *)lock); }
static inline void lct_unlock(void *lock) { pthread_mutex_unlock((pthread_mutex_t *)lock); }

static inline void lct_lock_destroy(void *lock) {
  pthread_mutex_destroy((pthread_mutex_t *)lock);
  free(lock);
}

/// Readies the process for lct_barrier_everywhere. Returns 1 if the system has it.
static inline int lct_barrier_prepare(void) {
#if defined(LCT_HAS_MEMBARRIER)
  return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
#else
  return 0;
#endif
}

/// A full barrier on every thread of the process, wherever it is. Returns 1 if it was one.
static inline int lct_barrier_everywhere(void) {
#if defined(LCT_HAS_MEMBARRIER)
  return syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0;
#else
  return 0;
#endif
}

struct lct_start {
  void (*entry)(void *);
  void *context;
};

static inline void *lct_run(void *argument) {
  struct lct_start start = *(struct lct_start *)argument;
  free(argument);
  start.entry(start.context);
  return NULL;
}

/// A number of permits that threads take and give.
struct lct_gate {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  long count;
};

static inline void *lct_gate_create(long count) {
  struct lct_gate *gate = (struct lct_gate *)malloc(sizeof *gate);
  if (!gate) return NULL;
  gate->count = count;
  if (pthread_mutex_init(&gate->lock, NULL) != 0) {
    free(gate);
    return NULL;
  }
  if (pthread_cond_init(&gate->changed, NULL) != 0) {
    pthread_mutex_destroy(&gate->lock);
    free(gate);
    return NULL;
  }
  return gate;
}

static inline void lct_gate_wait(void *pointer) {
  struct lct_gate *gate = (struct lct_gate *)pointer;
  pthread_mutex_lock(&gate->lock);
  while (gate->count <= 0) pthread_cond_wait(&gate->changed, &gate->lock);
  gate->count--;
  pthread_mutex_unlock(&gate->lock);
}

static inline void lct_gate_signal(void *pointer) {
  struct lct_gate *gate = (struct lct_gate *)pointer;
  pthread_mutex_lock(&gate->lock);
  gate->count++;
  pthread_cond_signal(&gate->changed);
  pthread_mutex_unlock(&gate->lock);
}

static inline void lct_gate_destroy(void *pointer) {
  struct lct_gate *gate = (struct lct_gate *)pointer;
  pthread_cond_destroy(&gate->changed);
  pthread_mutex_destroy(&gate->lock);
  free(gate);
}

/// How many cores the system has for its processes; at least 1.
static inline long lct_core_count(void) {
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count < 1 ? 1 : count;
}

/// Starts a thread that is never joined. Returns 0, or the number of the error.
///
/// A stack of 0 bytes is as large as the system makes it.
static inline int lct_thread_start(void (*entry)(void *), void *context, size_t stack_bytes) {
  struct lct_start *start = (struct lct_start *)malloc(sizeof *start);
  if (!start) return 12;
  start->entry = entry;
  start->context = context;
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  if (stack_bytes > 0) pthread_attr_setstacksize(&attributes, stack_bytes);
  int result = pthread_create(&thread, &attributes, lct_run, start);
  pthread_attr_destroy(&attributes);
  if (result != 0) free(start);
  return result;
}

/// Calls a function in every child process that is forked from now on.
static inline int lct_at_fork(void (*child)(void)) { return pthread_atfork(NULL, NULL, child); }

/// A number that is the same until the device starts again; 0 if the system doesn't tell.
static inline uint64_t lct_boot_number(void) {
  char text[64];
  size_t count = 0;
#if defined(__APPLE__)
  count = sizeof text;
  if (sysctlbyname("kern.bootsessionuuid", text, &count, NULL, 0) != 0) return 0;
#else
  int file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t result = read(file, text, sizeof text);
  close(file);
  if (result <= 0) return 0;
  count = (size_t)result;
#endif
  uint64_t number = 0xcbf29ce484222325u;
  for (size_t place = 0; place < count; place++)
    number = (number ^ (unsigned char)text[place]) * 0x100000001b3u;
  return number;
}

/// Copies the name of the machine, with a zero at its end, for example "iPhone15,2".
static inline void lct_machine_name(char *name, size_t count) {
  struct utsname system;
  memset(name, 0, count);
  if (count != 0 && uname(&system) == 0) strncpy(name, system.machine, count - 1);
}

/// Whether a process of this number lives, as far as this one may know.
static inline int lct_process_lives(int32_t number) {
  return kill((pid_t)number, 0) == 0 || errno == EPERM;
}

#endif
