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

/* As libraries do that print where a program faulted. */
static void give_back(int signal) {
  struct sigaction usual = {.sa_handler = SIG_DFL};
  printf("said\n");
  fflush(stdout);
  sigaction(signal, &usual, NULL);
}

static void *leave(void *unused) {
  printf("leaving\n");
  exit(3);
}

/* Each thread has its own memory; two of them have small stacks. */
static void *copy_apart(void *unused) {
  char sent[1000], got[1000];
  void *own;
  memset(sent, (int)(size_t)unused, sizeof sent);
  for (int i = 0; i < 50; i++) {
    if (cudaMalloc(&own, 1000) || cudaMemcpy(own, sent, 1000, 1) || cudaMemcpy(got, own, 1000, 2) ||
        cudaFree(own) || memcmp(sent, got, 1000))
      return own;
  }
  return NULL;
}

static int side_by_side(void) {
  pthread_t threads[8];
  pthread_attr_t small;
  int wrong = 0;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 256 << 10);
  for (size_t i = 0; i < 8; i++) pthread_create(&threads[i], i < 2 ? &small : NULL, copy_apart, (void *)i);
  for (int i = 0; i < 8; i++) {
    void *result;
    pthread_join(threads[i], &result);
    wrong += result != NULL;
  }
  return wrong;
}

/* Calls CUDA with seven of the eight megabytes of the stack in use. */
static int deep(int frames) {
  volatile char frame[1 << 20];
  frame[0] = frame[(1 << 20) - 1] = 1;
  return frames == 0 ? copy() : deep(frames - 1) + frame[0] - 1;
}

int main(int count, char **arguments) {
  const char *what = count > 1 ? arguments[1] : "copy";
  /* A shell starts a job in the background with SIGINT and SIGQUIT ignored: undo that. */
  if (strcmp(what, "wait") == 0) signal(SIGINT, SIG_DFL), signal(SIGQUIT, SIG_DFL);
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
  } else if (strcmp(what, "threads") == 0) {
    printf("%d differ\n", side_by_side());
  } else if (strcmp(what, "deep") == 0) {
    printf(deep(6) ? "differs\n" : "same\n");
  } else if (strcmp(what, "exec") == 0) {
    execl("/proc/self/exe", arguments[0], "copy", NULL);
  } else if (strcmp(what, "closed") == 0) {
    close(1);
    return copy() ? 1 : 4;
  } else if (strncmp(what, "pipe", 4) == 0) {
    int ends[2];
    if (strcmp(what, "pipe-ignored") == 0) signal(SIGPIPE, SIG_IGN);
    if (strcmp(what, "pipe-handled") == 0) signal(SIGPIPE, handle);
    if (pipe(ends)) return 2;
    close(ends[0]);
    return write(ends[1], "lost", 4) == 4 ? 3 : 5;
  } else if (strcmp(what, "handler") == 0) {
    handle_faults();
  } else if (strcmp(what, "handler-gives-back") == 0) {
    struct sigaction printing = {.sa_handler = give_back};
    sigaction(SIGSEGV, &printing, NULL);
    *(volatile int *)NULL = 1;
  } else if (strcmp(what, "divide") == 0) {
    volatile int zero = 0;
    return 100 / zero;
  } else if (strcmp(what, "null") == 0) {
    *(volatile int *)NULL = 1;
  } else if (strcmp(what, "bad-pointer") == 0) {
    return cudaMemcpy(device, (void *)65536, 1000, 1);
  } else if (strcmp(what, "wait") == 0) {
    printf("waiting\n");
    fflush(stdout);
    pause();
  }
  return 0;
}
