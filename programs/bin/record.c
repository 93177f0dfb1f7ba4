/* Linked into a program with --wrap=main, --wrap=cudaMalloc and --wrap=cudaFree: writes what each
 * device allocation holds when it is freed, or when main returns, to the file that RECORD names, as
 * lines of number, size and hash (FNV-1a), so that two machines can be compared. */
#include <stdio.h>
#include <stdlib.h>

int __real_main(int, char **);
int __real_cudaMalloc(void **, size_t);
int __real_cudaFree(void *);
int cudaMemcpy(void *, const void *, size_t, int);
int cudaDeviceSynchronize(void);

static struct { void *address; size_t bytes; int number; } live[65536];
static int count, made;

static void record(int i) {
  const char *file = getenv("RECORD");
  unsigned char *host = file ? malloc(live[i].bytes) : NULL;
  if (!host) return;
  cudaDeviceSynchronize();
  if (!cudaMemcpy(host, live[i].address, live[i].bytes, 2)) {
    unsigned long hash = 0xcbf29ce484222325UL;
    for (size_t k = 0; k < live[i].bytes; k++) hash = (hash ^ host[k]) * 0x100000001b3UL;
    FILE *out = fopen(file, "a");
    if (out) fprintf(out, "%d %zu %016lx\n", live[i].number, live[i].bytes, hash), fclose(out);
  }
  free(host);
}

int __wrap_cudaMalloc(void **address, size_t bytes) {
  int error = __real_cudaMalloc(address, bytes);
  if (!error && bytes && count < 65536) {
    live[count].address = *address;
    live[count].bytes = bytes;
    live[count++].number = ++made;
  }
  return error;
}

int __wrap_cudaFree(void *address) {
  for (int i = 0; address && i < count; i++) {
    if (live[i].address == address) {
      record(i);
      live[i] = live[--count];
      break;
    }
  }
  return __real_cudaFree(address);
}

int __wrap_main(int argc, char **argv) {
  int code = __real_main(argc, argv);
  for (int i = 0; i < count; i++) record(i);
  count = 0;
  return code;
}
