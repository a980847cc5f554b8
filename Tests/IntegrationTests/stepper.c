// Runs a program one instruction at a time between two traps that it raises itself, and keeps a copy
// of its files after every instruction that changed one of them: what a kill there would leave.
// gcc -O2 -o stepper stepper.c; ./stepper FOLDER COPIES KILL PROGRAM ARGUMENT...
//   FOLDER  the recording: run.lcjournal and acknowledged, which the program has made at its first trap
//   COPIES  where the copies go: 0, 1, 2, …
//   KILL    the number of the instruction after which it is killed, or 0 for none

#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct map {
  uint8_t *bytes, *before;
  size_t count;
};

static struct map map(const char *folder, const char *name) {
  char path[4096];
  struct map map;
  struct stat status;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  int file = open(path, O_RDONLY);
  if (file < 0 || fstat(file, &status) != 0) {
    perror(path);
    exit(2);
  }
  map.count = (size_t)status.st_size;
  map.bytes = mmap(NULL, map.count, PROT_READ, MAP_SHARED, file, 0);
  map.before = malloc(map.count);
  memcpy(map.before, map.bytes, map.count);
  close(file);
  return map;
}

static int changed(struct map *map) {
  if (memcmp(map->bytes, map->before, map->count) == 0) return 0;
  memcpy(map->before, map->bytes, map->count);
  return 1;
}

static void keep(const char *copies, long number, const char *name, const struct map *map) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%ld", copies, number);
  mkdir(path, 0700);
  snprintf(path, sizeof path, "%s/%ld/%s", copies, number, name);
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(map->before, 1, map->count, file) != map->count || fclose(file) != 0) {
    perror(path);
    exit(2);
  }
}

int main(int count, char **arguments) {
  if (count < 5) return 2;
  long kill_at = atol(arguments[3]), steps = 0, copies = 0;
  int status;
  pid_t program = fork();
  if (program == 0) {
    ptrace(PTRACE_TRACEME, 0, 0, 0);
    execvp(arguments[4], arguments + 4);
    _exit(127);
  }
  waitpid(program, &status, 0);
  // Everything until the trap that the program raises.
  do {
    ptrace(PTRACE_CONT, program, 0, 0);
    waitpid(program, &status, 0);
  } while (WIFSTOPPED(status) && WSTOPSIG(status) != SIGTRAP);
  if (!WIFSTOPPED(status)) return 3;
  struct map journal = map(arguments[1], "run.lcjournal");
  struct map acknowledged = map(arguments[1], "acknowledged");
  for (;;) {
    ptrace(PTRACE_SINGLESTEP, program, 0, 0);
    waitpid(program, &status, 0);
    if (!WIFSTOPPED(status)) break;
    siginfo_t signal;
    ptrace(PTRACE_GETSIGINFO, program, 0, &signal);
    if (WSTOPSIG(status) == SIGTRAP && signal.si_code <= 0) break;
    steps++;
    if (steps == kill_at) {
      kill(program, SIGKILL);
      waitpid(program, &status, 0);
      break;
    }
    int is_new = changed(&journal) | changed(&acknowledged);
    if (is_new && kill_at == 0) {
      keep(arguments[2], copies, "run.lcjournal", &journal);
      keep(arguments[2], copies, "acknowledged", &acknowledged);
      copies++;
    }
  }
  if (WIFSTOPPED(status)) {
    kill(program, SIGKILL);
    waitpid(program, &status, 0);
  }
  printf("%ld %ld\n", steps, copies);
  return 0;
}
