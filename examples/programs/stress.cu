// A program that ends, forks or is killed while its threads launch kernels side by side. The first
// argument says how: threads, exit, fork, raise NUMBER, or wait (for a signal from outside). What was
// printed before must be there; programs/bin/stress counts.
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

static const int COUNT = 1024, THREADS = 4, LAUNCHES = 12;
static std::atomic<int> launched;

__global__ void add(int *a, int value, int says) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] += value;
  if (i == 0 && says) printf("kernel %d\n", says);
}

// Launches in a stream of its own; returns how many elements differ.
static int work(int thread, int says) {
  int *memory, wrong = 0;
  std::vector<int> host(COUNT);
  cudaStream_t stream;
  if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) || cudaMalloc(&memory, COUNT * sizeof(int)) ||
      cudaMemsetAsync(memory, 0, COUNT * sizeof(int), stream))
    return COUNT;
  for (int i = 1; i <= LAUNCHES; i++) {
    add<<<COUNT / 128, 128, 0, stream>>>(memory, thread + 1, says && i == LAUNCHES ? thread + 1 : 0);
    launched++;
  }
  cudaMemcpyAsync(host.data(), memory, COUNT * sizeof(int), cudaMemcpyDeviceToHost, stream);
  if (cudaStreamSynchronize(stream)) return COUNT;
  for (int each : host) wrong += each != LAUNCHES * (thread + 1);
  cudaFree(memory);
  cudaStreamDestroy(stream);
  return wrong;
}

static int side_by_side(int says) {
  std::atomic<int> wrong{0};
  std::vector<std::thread> all;
  for (int i = 0; i < THREADS; i++) all.emplace_back([&wrong, i, says] { wrong += work(i, says); });
  for (std::thread &each : all) each.join();
  return wrong;
}

// Threads that go on until the process ends.
static void keep_busy() {
  for (int i = 0; i < THREADS; i++)
    std::thread([i] {
      while (work(i, 0) == 0) {
      }
    }).detach();
  while (launched < 2 * THREADS) usleep(1000);
}

int main(int count, char **words) {
  const char *how = count > 1 ? words[1] : "threads";
  signal(SIGINT, SIG_DFL); // a shell's job in the background would ignore it
  if (strcmp(how, "threads") == 0) {
    printf("%d differ\n", side_by_side(1));
    return 0;
  }
  keep_busy();
  printf("busy\n");
  if (strcmp(how, "exit") == 0) {
    printf("leaving");
    exit(7);
  }
  if (strcmp(how, "fork") == 0) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
      int *memory;
      printf("child: %d\n", cudaMalloc(&memory, 4));
      fflush(stdout);
      _exit(3);
    }
    int status = 0;
    waitpid(child, &status, 0);
    printf("child ended: %d, %d differ\n", WEXITSTATUS(status), work(9, 0));
    fflush(stdout);
    _exit(8);
  }
  fflush(stdout);
  if (strcmp(how, "raise") == 0) raise(atoi(words[2]));
  pause();
  return 0;
}
