/* What a process does beside CUDA, with the runtime called from C: no kernel, no nvcc. The first
 * argument says what: copy, fork, exit, thread, handler and so on. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int cudaMalloc(void **pointer, size_t bytes);
int cudaFree(void *pointer);
int cudaMemcpy(void *to, const void *from, size_t bytes, int kind);
int cudaMemset(void *pointer, int value, size_t bytes);
int cudaDeviceSynchronize(void);
int cudaImportExternalMemory(void *memory, const void *description);
const char *cudaGetErrorString(int error);

static void *device;

static void free_at_exit(void) { printf("freed: %s\n", cudaGetErrorString(cudaFree(device))); }

static int copy(void) {
  char sent[1000], got[1000];
  for (int i = 0; i < 1000; i++) sent[i] = (char)i;
  if (cudaMemcpy(device, sent, 1000, 1) || cudaMemset(device, 7, 10) ||
      cudaMemcpy(got, device, 1000, 2))
    return 1;
  memset(sent, 7, 10);
  return memcmp(sent, got, 1000) != 0;
}

static void handle(int signal) {
  static const char text[] = "handled\n";
  _exit(write(1, text, sizeof text - 1) == sizeof text - 1 ? 6 : 1);
}

/* A handler of the program's: the JVM, whose code faults in its ordinary course, must see the
 * signal first. */
static void handle_faults(void) {
  struct sigaction mine = {.sa_handler = handle}, seen;
  struct { void *handler; unsigned long flags; void *restorer; unsigned long mask; } first;
  sigaction(SIGSEGV, &mine, NULL);
  sigaction(SIGSEGV, NULL, &seen);
  syscall(SYS_rt_sigaction, SIGSEGV, NULL, &first, sizeof first.mask);
  printf("%s\n", seen.sa_handler == handle && first.handler != handle ? "mine, behind another" : "no");
  fflush(stdout);
  raise(SIGSEGV);
}

static void *leave(void *unused) {
  printf("leaving\n");
  exit(3);
}

int main(int count, char **arguments) {
  const char *what = count > 1 ? arguments[1] : "copy";
  /* A shell starts a job in the background with SIGINT ignored: undo that. */
  if (strcmp(what, "wait") == 0) signal(SIGINT, SIG_DFL);
  if (strcmp(what, "fork-first") == 0 && fork() == 0) {
    if (cudaMalloc(&device, 1000)) _exit(9);
    _exit(copy() ? 8 : 7);
  }
  if (cudaMalloc(&device, 1000)) return 1;
  if (strcmp(what, "copy") == 0) {
    printf(copy() ? "differs\n" : "same\n");
  } else if (strcmp(what, "missing") == 0) {
    int error = cudaImportExternalMemory(NULL, NULL);
    printf("%d %s\n", error, cudaGetErrorString(error));
  } else if (strcmp(what, "exit") == 0) {
    atexit(free_at_exit);
    printf("leaving");
    exit(5);
  } else if (strcmp(what, "thread") == 0) {
    pthread_t thread;
    pthread_create(&thread, NULL, leave, NULL);
    pthread_join(thread, NULL);
  } else if (strcmp(what, "fork-first") == 0) {
    int status;
    wait(&status);
    printf("child %d, parent %s\n", WEXITSTATUS(status), copy() ? "differs" : "same");
  } else if (strcmp(what, "fork") == 0) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
      int error = cudaMemset(device, 1, 1);
      printf("child: %d %s\n", error, cudaGetErrorString(error));
      exit(0);
    }
    waitpid(child, NULL, 0);
    printf("parent: %s\n", copy() ? "differs" : "same");
  } else if (strcmp(what, "handler") == 0) {
    handle_faults();
  } else if (strcmp(what, "wait") == 0) {
    printf("waiting\n");
    fflush(stdout);
    pause();
  }
  return 0;
}
