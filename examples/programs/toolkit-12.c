/* What CUDA 12 declares otherwise than CUDA 13, called as its headers do, from C. A static runtime
 * of CUDA 12 has cudaGraphAddDependencies_v2; so does this program, and is taken for one. */
#include <stdio.h>
#include <string.h>

typedef void *handle;

int cudaRuntimeGetVersion(int *version);
int cudaMallocManaged(void **pointer, size_t bytes, unsigned flags);
int cudaFree(void *pointer);
int cudaMemAdvise(const void *pointer, size_t bytes, int advice, int device);
int cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device, handle stream);
int cudaMemRangeGetAttribute(void *data, size_t size, int attribute, const void *pointer, size_t bytes);
int cudaPointerGetAttributes(void *attributes, const void *pointer);
int cudaGraphCreate(handle *graph, unsigned flags);
int cudaGraphDestroy(handle graph);
int cudaGraphAddEmptyNode(handle *node, handle graph, const handle *dependencies, size_t count);
int cudaGraphAddDependencies(handle graph, const handle *from, const handle *to, size_t count);
int cudaGraphAddDependencies_v2(handle graph, const handle *from, const handle *to, const void *edges,
                                size_t count) {
  return 999;
}
int cudaGraphRemoveDependencies(handle graph, const handle *from, const handle *to, size_t count);
int cudaGraphGetEdges(handle graph, handle *from, handle *to, size_t *count);
int cudaGraphNodeGetDependencies(handle node, handle *into, size_t *count);
int cudaGraphNodeGetDependentNodes(handle node, handle *into, size_t *count);

static int wrong;

#define IS(stated, what)                                                                   \
  do {                                                                                     \
    long found = (long)(what);                                                             \
    if (found != (stated)) printf("%s: %ld, stated is %ld\n", #what, found, (long)(stated)), wrong++; \
  } while (0)

static void graphs(void) {
  handle graph, first, then, from[4], to[4];
  size_t count = 4;
  IS(0, cudaGraphCreate(&graph, 0));
  IS(0, cudaGraphAddEmptyNode(&first, graph, NULL, 0));
  IS(0, cudaGraphAddEmptyNode(&then, graph, NULL, 0));
  IS(0, cudaGraphAddDependencies(graph, &first, &then, 1));
  IS(0, cudaGraphGetEdges(graph, from, to, &count));
  IS(1, count);
  IS(1, from[0] == first && to[0] == then);
  count = 4;
  IS(0, cudaGraphNodeGetDependencies(then, from, &count));
  IS(1, count == 1 && from[0] == first);
  count = 4;
  IS(0, cudaGraphNodeGetDependentNodes(first, to, &count));
  IS(1, count == 1 && to[0] == then);
  IS(0, cudaGraphRemoveDependencies(graph, &first, &then, 1));
  IS(0, cudaGraphGetEdges(graph, NULL, NULL, &count));
  IS(0, count);
  IS(0, cudaGraphAddDependencies_v2(graph, &first, &then, NULL, 1));
  IS(0, cudaGraphGetEdges(graph, NULL, NULL, &count));
  IS(1, count);
  IS(0, cudaGraphDestroy(graph));
}

int main(void) {
  int version = 0, place = 7;
  char *managed, attributes[32];
  IS(0, cudaRuntimeGetVersion(&version));
  IS(12, version / 1000);
  IS(0, cudaMallocManaged((void **)&managed, 4096, 1));
  IS(0, cudaMemAdvise(managed, 4096, 3, -1));
  IS(0, cudaMemRangeGetAttribute(&place, 4, 2, managed, 4096));
  IS(-1, place);
  IS(0, cudaMemPrefetchAsync(managed, 4096, 0, NULL));
  IS(0, cudaMemRangeGetAttribute(&place, 4, 4, managed, 4096));
  IS(0, place);
  memset(attributes, 0x55, sizeof attributes);
  IS(0, cudaPointerGetAttributes(attributes, managed));
  IS(3, attributes[0]);
  IS(0x55, attributes[24]); /* the structure has 24 bytes */
  graphs();
  IS(0, cudaFree(managed));
  if (!wrong) printf("passed\n");
  return wrong != 0;
}
