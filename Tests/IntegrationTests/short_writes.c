// Lets every second write at a place be interrupted before it begins, and the others write half.
// gcc -O2 -shared -fPIC -o short_writes.so short_writes.c; LD_PRELOAD=./short_writes.so PROGRAM

#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_long count;

ssize_t pwrite64(int file, const void *bytes, size_t number, off64_t offset) {
  if (atomic_fetch_add(&count, 1) % 2 == 0) {
    errno = EINTR;
    return -1;
  }
  return syscall(SYS_pwrite64, file, bytes, number > 1 ? number / 2 : number, offset);
}

ssize_t pwrite(int file, const void *bytes, size_t number, off_t offset) {
  return pwrite64(file, bytes, number, offset);
}
