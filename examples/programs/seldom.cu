// Functions that few programs call: bounds of streams' attributes, hints about parts of managed
// memory, pools of places, memory of graphs, objects that graphs hold. What is stated is what an H100
// answers. Prints "passed".
#include <unistd.h>
#include <atomic>
#include <cstring>
#include "expect.h"

__managed__ int counter = 3;

static void attributes() {
  cudaStream_t one, other;
  cudaStreamCreate(&one);
  cudaStreamCreateWithPriority(&other, cudaStreamNonBlocking, -2);
  cudaLaunchAttributeValue value;
  const auto get = [&](cudaStream_t stream, int attribute) {
    memset(&value, 0x55, sizeof value);
    return cudaStreamGetAttribute(stream, (cudaLaunchAttributeID)attribute, &value);
  };
  const auto set = [&](int attribute) {
    return cudaStreamSetAttribute(one, (cudaLaunchAttributeID)attribute, &value);
  };

  // Priorities are brought into their range, what else is out of its range is refused.
  for (int priority = -7; priority < 3; priority++) {
    value.priority = priority;
    EXPECT(cudaSuccess, set(cudaLaunchAttributePriority));
    int now = 99;
    EXPECT(cudaSuccess, cudaStreamGetPriority(one, &now));
    EXPECT_VALUE(priority < -5 ? -5 : priority > 0 ? 0 : priority, now);
  }
  for (int policy = -1; policy < 6; policy++) {
    value.syncPolicy = (cudaSynchronizationPolicy)policy;
    EXPECT(policy < 1 || policy > 4 ? cudaErrorInvalidValue : cudaSuccess,
           set(cudaLaunchAttributeSynchronizationPolicy));
  }
  for (int domain = 0; domain < 3; domain++) {
    value.memSyncDomain = (cudaLaunchMemSyncDomain)domain;
    EXPECT(domain > 1 ? cudaErrorInvalidValue : cudaSuccess, set(cudaLaunchAttributeMemSyncDomain));
  }
  for (int domain = 0; domain < 6; domain++) {
    memset(&value, 0, sizeof value);
    value.memSyncDomainMap.default_ = domain;
    EXPECT(domain > 3 ? cudaErrorInvalidValue : cudaSuccess,
           set(cudaLaunchAttributeMemSyncDomainMap));
  }

  // A window of memory for the cache.
  void *memory;
  cudaMalloc(&memory, 1 << 20);
  const cudaAccessPolicyWindow window = {memory, 4096, 0.5f, cudaAccessPropertyPersisting,
                                         cudaAccessPropertyStreaming};
  value.accessPolicyWindow = window;
  EXPECT(cudaSuccess, set(cudaLaunchAttributeAccessPolicyWindow));
  value.accessPolicyWindow.missProp = cudaAccessPropertyPersisting;
  EXPECT(cudaErrorInvalidValue, set(cudaLaunchAttributeAccessPolicyWindow));

  // Another stream takes all of it over.
  value.priority = -4;
  EXPECT(cudaSuccess, set(cudaLaunchAttributePriority));
  EXPECT(cudaSuccess, cudaStreamCopyAttributes(other, one));
  EXPECT(cudaSuccess, get(other, cudaLaunchAttributeAccessPolicyWindow));
  EXPECT_VALUE(4096, value.accessPolicyWindow.num_bytes);
  EXPECT_VALUE(50, value.accessPolicyWindow.hitRatio * 100);
  EXPECT(cudaSuccess, get(other, cudaLaunchAttributePriority));
  EXPECT_VALUE(-4, value.priority);
  EXPECT(cudaSuccess, get(other, cudaLaunchAttributeSynchronizationPolicy));
  EXPECT_VALUE(cudaSyncPolicyBlockingSync, value.syncPolicy);
  EXPECT(cudaSuccess, get(other, cudaLaunchAttributeMemSyncDomain));
  EXPECT_VALUE(cudaLaunchMemSyncDomainRemote, value.memSyncDomain);
  EXPECT(cudaSuccess, cudaCtxResetPersistingL2Cache());
  cudaFree(memory);
}

static const cudaMemLocation device = {cudaMemLocationTypeDevice, 0};
static const cudaMemLocation host = {cudaMemLocationTypeHost, 0};
static const cudaMemLocation elsewhere = {cudaMemLocationTypeDevice, 7};

static void hints() {
  const size_t all = 1 << 20, part = 1 << 16, page = 1 << 12;
  char *memory, *own;
  int told[3];
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMallocManaged(&memory, all);
  cudaMalloc(&own, all);
  const auto fact = [&](int attribute, const char *from, size_t bytes) {
    told[0] = 77;
    cudaError_t error =
        cudaMemRangeGetAttribute(told, 4, (cudaMemRangeAttribute)attribute, from, bytes);
    return error ? 1000 + error : told[0];
  };
  const auto used = [&] {
    return cudaMemRangeGetAttribute(told, 12, cudaMemRangeAttributeAccessedBy, memory, all);
  };

  // Nothing was said yet.
  const int nothing[] = {1001, 0, -2, -2, -2, 0, -2, 0, -2, 1001};
  for (int i = 0; i < 10; i++) EXPECT_VALUE(nothing[i], fact(i, memory, all));

  // Advice holds for pages; of a range is told what holds for all of it.
  EXPECT(cudaSuccess, cudaMemAdvise(memory, all / 2, cudaMemAdviseSetReadMostly, device));
  EXPECT_VALUE(0, fact(cudaMemRangeAttributeReadMostly, memory, all));
  EXPECT_VALUE(1, fact(cudaMemRangeAttributeReadMostly, memory, all / 2));
  EXPECT_VALUE(1, fact(cudaMemRangeAttributeReadMostly, memory + 100, 100));
  EXPECT(cudaSuccess, cudaMemAdvise(memory, all, cudaMemAdviseUnsetReadMostly, device));
  EXPECT_VALUE(0, fact(cudaMemRangeAttributeReadMostly, memory, all / 2));
  EXPECT(cudaSuccess, cudaMemAdvise(memory, all, cudaMemAdviseSetPreferredLocation, host));
  EXPECT_VALUE(-1, fact(cudaMemRangeAttributePreferredLocation, memory, all));
  EXPECT_VALUE(2, fact(cudaMemRangeAttributePreferredLocationType, memory, all));
  EXPECT_VALUE(-1, fact(cudaMemRangeAttributePreferredLocationId, memory, all));
  EXPECT(cudaSuccess, cudaMemAdvise(memory, page, cudaMemAdviseSetPreferredLocation, device));
  EXPECT_VALUE(-2, fact(cudaMemRangeAttributePreferredLocation, memory, all));
  EXPECT_VALUE(0, fact(cudaMemRangeAttributePreferredLocation, memory, page));
  EXPECT_VALUE(1, fact(cudaMemRangeAttributePreferredLocationType, memory, page));
  EXPECT_VALUE(0, fact(cudaMemRangeAttributePreferredLocationId, memory, page));
  EXPECT_VALUE(-1, fact(cudaMemRangeAttributePreferredLocation, memory + part, part));
  EXPECT(cudaSuccess, cudaMemAdvise(memory, all, cudaMemAdviseSetAccessedBy, device));
  EXPECT(cudaSuccess, cudaMemAdvise(memory, all, cudaMemAdviseSetAccessedBy, host));
  EXPECT(cudaSuccess, used());
  EXPECT_VALUE(true, told[0] == 0 && told[1] == -1 && told[2] == -2);
  EXPECT(cudaSuccess, cudaMemAdvise(memory, all, cudaMemAdviseUnsetAccessedBy, device));
  EXPECT(cudaSuccess, used());
  EXPECT_VALUE(true, told[0] == -1 && told[1] == -2 && told[2] == -2);
  EXPECT_VALUE(0, fact(cudaMemRangeAttributeReadMostly, (char *)&counter, sizeof counter));

  // What is refused.
  const auto advise = [](void *at, size_t bytes, int advice, cudaMemLocation place) {
    return cudaMemAdvise(at, bytes, (cudaMemoryAdvise)advice, place);
  };
  EXPECT(cudaErrorInvalidValue, advise(memory, all, 9, device));
  EXPECT(cudaErrorInvalidValue, advise(memory, all, cudaMemAdviseSetPreferredLocation, elsewhere));
  EXPECT(cudaErrorInvalidValue, advise(memory, 0, cudaMemAdviseSetReadMostly, device));
  EXPECT(cudaErrorInvalidValue, advise(memory, 2 * all, cudaMemAdviseSetReadMostly, device));
  EXPECT(cudaErrorInvalidValue, advise(own, page, cudaMemAdviseSetReadMostly, device));
  EXPECT_VALUE(1001, fact(cudaMemRangeAttributeReadMostly, memory, 2 * all));
  EXPECT_VALUE(1001, fact(cudaMemRangeAttributeReadMostly, memory, 0));
  EXPECT_VALUE(1001, fact(cudaMemRangeAttributeReadMostly, own, page));
  const auto sized = [&](size_t bytes, cudaMemRangeAttribute attribute) {
    return cudaMemRangeGetAttribute(told, bytes, attribute, memory, all);
  };
  EXPECT(cudaErrorInvalidValue, sized(0, cudaMemRangeAttributeAccessedBy));
  EXPECT(cudaErrorInvalidValue, sized(6, cudaMemRangeAttributeAccessedBy));
  EXPECT(cudaErrorInvalidValue, sized(8, cudaMemRangeAttributeReadMostly));

  // Where it was brought last.
  EXPECT(cudaSuccess, cudaMemPrefetchAsync(memory, all, device, 0, stream));
  EXPECT_VALUE(0, fact(cudaMemRangeAttributeLastPrefetchLocation, memory, all));
  EXPECT_VALUE(1, fact(cudaMemRangeAttributeLastPrefetchLocationType, memory, all));
  EXPECT(cudaSuccess, cudaMemPrefetchAsync(memory, page, host, 0, stream));
  EXPECT_VALUE(-2, fact(cudaMemRangeAttributeLastPrefetchLocation, memory, all));
  EXPECT_VALUE(-1, fact(cudaMemRangeAttributeLastPrefetchLocation, memory, page));
  EXPECT_VALUE(2, fact(cudaMemRangeAttributeLastPrefetchLocationType, memory, page));
  EXPECT_VALUE(0, fact(cudaMemRangeAttributeLastPrefetchLocation, memory + part, part));
  EXPECT(cudaErrorInvalidDevice, cudaMemPrefetchAsync(memory, all, elsewhere, 0, stream));
  EXPECT(cudaErrorInvalidValue, cudaMemPrefetchAsync(memory, all, device, 1, stream));
  EXPECT(cudaErrorInvalidValue, cudaMemPrefetchAsync(own, page, device, 0, stream));
  EXPECT(cudaErrorInvalidValue, cudaMemPrefetchAsync(memory, 0, device, 0, stream));
  EXPECT(cudaSuccess, cudaStreamSynchronize(stream));
  cudaFree(memory);
  cudaFree(own);
}

static void pools() {
  cudaMemLocation on = device, of_host = host, nowhere = {cudaMemLocationTypeInvalid, 0};
  cudaMemPoolProps properties = {};
  cudaMemPool_t pool, pinned, now;
  const cudaMemAllocationType type = cudaMemAllocationTypePinned;
  properties.allocType = type;
  properties.location = on;
  EXPECT(cudaSuccess, cudaMemPoolCreate(&pool, &properties));
  properties.location = of_host;
  EXPECT(cudaSuccess, cudaMemPoolCreate(&pinned, &properties));
  EXPECT(cudaSuccess, cudaMemSetMemPool(&on, type, pool));
  EXPECT(cudaSuccess, cudaDeviceGetMemPool(&now, 0));
  EXPECT_VALUE(true, now == pool);
  EXPECT(cudaSuccess, cudaMemSetMemPool(&of_host, type, pinned));
  EXPECT(cudaSuccess, cudaMemGetMemPool(&now, &of_host, type));
  EXPECT_VALUE(true, now == pinned);
  EXPECT(cudaErrorInvalidValue, cudaMemSetMemPool(&of_host, type, pool));
  EXPECT(cudaErrorInvalidValue, cudaMemSetMemPool(&on, cudaMemAllocationTypeManaged, pool));
  EXPECT(cudaErrorInvalidValue, cudaMemSetMemPool(&nowhere, type, pool));
  on = elsewhere;
  EXPECT(cudaErrorInvalidValue, cudaMemSetMemPool(&on, type, pool));
  EXPECT(cudaSuccess, cudaMemPoolDestroy(pool));
  EXPECT(cudaSuccess, cudaMemPoolDestroy(pinned));
}

// Memory of graphs, in blocks of 32 MB as an H100 takes it.
static void graph_memory() {
  const size_t block = 32 << 20;
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  cudaGraphNode_t taken, freed;
  cudaStreamCreate(&stream);
  const auto told = [](int attribute) {
    unsigned long long bytes = 77;
    EXPECT(cudaSuccess,
           cudaDeviceGetGraphMemAttribute(0, (cudaGraphMemAttributeType)attribute, &bytes));
    return bytes;
  };
  cudaMemAllocNodeParams parameters = {};
  parameters.poolProps.allocType = cudaMemAllocationTypePinned;
  parameters.poolProps.location = device;
  parameters.bytesize = block;
  cudaGraphCreate(&graph, 0);
  EXPECT(cudaSuccess, cudaGraphAddMemAllocNode(&taken, graph, nullptr, 0, &parameters));
  EXPECT(cudaSuccess, cudaGraphAddMemFreeNode(&freed, graph, &taken, 1, parameters.dptr));
  EXPECT(cudaSuccess, cudaGraphInstantiate(&ready, graph, 0));
  for (int i = 0; i < 4; i++) EXPECT_VALUE(0, told(i));
  EXPECT(cudaSuccess, cudaGraphLaunch(ready, stream));
  EXPECT(cudaSuccess, cudaStreamSynchronize(stream));
  for (int i = 0; i < 4; i++) EXPECT_VALUE(block, told(i));
  EXPECT(cudaSuccess, cudaDeviceGraphMemTrim(0));
  for (int i = 0; i < 4; i++) EXPECT_VALUE(i % 2 ? block : 0, told(i));
  unsigned long long none = 0, one = 1;
  EXPECT(cudaErrorInvalidValue, cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &one));
  EXPECT(cudaErrorInvalidValue,
         cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &none));
  EXPECT(cudaErrorInvalidDevice,
         cudaDeviceSetGraphMemAttribute(9, cudaGraphMemAttrUsedMemHigh, &none));
  EXPECT(cudaErrorInvalidDevice,
         cudaDeviceGetGraphMemAttribute(9, cudaGraphMemAttrUsedMemHigh, &none));
  EXPECT(cudaErrorInvalidValue,
         cudaDeviceGetGraphMemAttribute(0, (cudaGraphMemAttributeType)5, &none));
  EXPECT(cudaSuccess, cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &none));
  EXPECT(cudaSuccess, cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrReservedMemHigh, &none));
  for (int i = 0; i < 4; i++) EXPECT_VALUE(0, told(i));
  EXPECT(cudaSuccess, cudaGraphExecDestroy(ready));
  EXPECT(cudaSuccess, cudaGraphDestroy(graph));
}

// Objects that graphs hold: which of them are gone.
static std::atomic<int> gone[8];
static int numbers[] = {0, 1, 2, 3, 4, 5, 6, 7};

static void CUDART_CB destroy(void *number) { gone[*(int *)number]++; }

static int is_gone(int number, int stated) {
  for (int i = 0; i < 200 && gone[number] != stated; i++) usleep(10000);
  if (stated == 0) usleep(50000);
  return gone[number];
}

static cudaUserObject_t made(int number) {
  cudaUserObject_t object = nullptr;
  EXPECT(cudaSuccess, cudaUserObjectCreate(&object, numbers + number, destroy, 1,
                                           cudaUserObjectNoDestructorSync));
  return object;
}

static void objects() {
  cudaUserObject_t object;
  cudaGraph_t graph, other;
  cudaGraphExec_t ready;
  cudaGraphNode_t node;
  EXPECT(cudaErrorInvalidValue, cudaUserObjectCreate(&object, numbers, destroy, 1, 0));
  EXPECT(cudaErrorInvalidValue, cudaUserObjectCreate(&object, numbers, destroy, 0, 1));
  EXPECT(cudaErrorInvalidValue, cudaUserObjectCreate(&object, numbers, nullptr, 1, 1));
  EXPECT(cudaErrorInvalidValue, cudaUserObjectCreate(nullptr, numbers, destroy, 1, 1));

  // The caller's references alone.
  object = made(0);
  EXPECT(cudaSuccess, cudaUserObjectRetain(object, 2));
  EXPECT(cudaErrorInvalidValue, cudaUserObjectRetain(object, 0));
  EXPECT(cudaErrorInvalidValue, cudaUserObjectRelease(object, 0));
  EXPECT(cudaSuccess, cudaUserObjectRelease(object, 2));
  EXPECT_VALUE(0, is_gone(0, 0));
  EXPECT(cudaSuccess, cudaUserObjectRelease(object, 1));
  EXPECT_VALUE(1, is_gone(0, 1));
  EXPECT(cudaErrorInvalidValue, cudaUserObjectRelease(nullptr, 1));

  // A graph holds it, and what was made ready of it.
  object = made(1);
  cudaGraphCreate(&graph, 0);
  cudaGraphAddEmptyNode(&node, graph, nullptr, 0);
  EXPECT(cudaErrorInvalidValue, cudaGraphRetainUserObject(graph, object, 1, 4));
  EXPECT(cudaErrorInvalidValue, cudaGraphRetainUserObject(graph, object, 0, 0));
  EXPECT(cudaErrorInvalidValue, cudaGraphRetainUserObject(nullptr, object, 1, 0));
  EXPECT(cudaSuccess, cudaGraphRetainUserObject(graph, object, 1, 0));
  EXPECT(cudaSuccess, cudaUserObjectRelease(object, 1));
  EXPECT(cudaSuccess, cudaGraphInstantiate(&ready, graph, 0));
  EXPECT(cudaSuccess, cudaGraphDestroy(graph));
  EXPECT_VALUE(0, is_gone(1, 0));
  EXPECT(cudaSuccess, cudaGraphLaunch(ready, 0));
  EXPECT(cudaSuccess, cudaGraphExecDestroy(ready));
  EXPECT(cudaSuccess, cudaDeviceSynchronize());
  EXPECT_VALUE(1, is_gone(1, 1));

  // So does a copy.
  object = made(2);
  cudaGraphCreate(&graph, 0);
  EXPECT(cudaSuccess, cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
  EXPECT(cudaErrorInvalidValue, cudaGraphReleaseUserObject(graph, object, 0));
  EXPECT(cudaSuccess, cudaGraphClone(&other, graph));
  EXPECT(cudaSuccess, cudaGraphReleaseUserObject(graph, object, 1));
  EXPECT_VALUE(0, is_gone(2, 0));
  EXPECT(cudaSuccess, cudaGraphDestroy(other));
  EXPECT_VALUE(1, is_gone(2, 1));
  EXPECT(cudaSuccess, cudaGraphDestroy(graph));

  // And a graph that it is a node of.
  object = made(3);
  cudaGraphCreate(&graph, 0);
  cudaGraphCreate(&other, 0);
  EXPECT(cudaSuccess, cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
  EXPECT(cudaSuccess, cudaGraphAddChildGraphNode(&node, other, nullptr, 0, graph));
  EXPECT(cudaSuccess, cudaGraphDestroy(graph));
  EXPECT(cudaSuccess, cudaGraphInstantiate(&ready, other, 0));
  EXPECT(cudaSuccess, cudaGraphDestroy(other));
  EXPECT_VALUE(0, is_gone(3, 0));
  EXPECT(cudaSuccess, cudaGraphExecDestroy(ready));
  EXPECT_VALUE(1, is_gone(3, 1));
}

// What a graph tells into room for more and for less.
static void edges() {
  cudaGraph_t graph;
  cudaGraphNode_t first, second, third, from[4], to[4];
  cudaGraphCreate(&graph, 0);
  cudaGraphAddEmptyNode(&first, graph, nullptr, 0);
  cudaGraphAddEmptyNode(&second, graph, &first, 1);
  cudaGraphAddEmptyNode(&third, graph, &second, 1);
  size_t count = 4;
  memset(from, 0x55, sizeof from);
  EXPECT(cudaSuccess, cudaGraphGetEdges(graph, from, to, nullptr, &count));
  EXPECT_VALUE(2, count);
  EXPECT_VALUE(true, from[2] == nullptr && from[3] == nullptr);
  count = 1;
  EXPECT(cudaSuccess, cudaGraphGetEdges(graph, from, to, nullptr, &count));
  EXPECT_VALUE(1, count);
  EXPECT(cudaSuccess, cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count));
  EXPECT_VALUE(2, count);
  EXPECT(cudaErrorInvalidValue, cudaGraphGetEdges(graph, from, nullptr, nullptr, &count));
  count = 4;
  EXPECT(cudaSuccess, cudaGraphGetNodes(graph, from, &count));
  EXPECT_VALUE(3, count);
  EXPECT_VALUE(true, from[3] == nullptr);
  cudaGraphDestroy(graph);
}

// Variables of a library.
static void libraries() {
  const char *text =
      ".version 8.0\n.target sm_80\n.address_size 64\n"
      ".visible .global .attribute(.managed) .align 8 .b8 shared_by_all[24];\n"
      ".visible .global .align 4 .u32 own;\n";
  cudaLibrary_t library;
  cudaPointerAttributes attributes;
  void *place = nullptr;
  size_t bytes = 0;
  EXPECT(cudaSuccess, cudaLibraryLoadData(&library, text, nullptr, nullptr, 0, nullptr, nullptr, 0));
  EXPECT(cudaSuccess, cudaLibraryGetManaged(&place, &bytes, library, "shared_by_all"));
  EXPECT_VALUE(24, bytes);
  EXPECT(cudaSuccess, cudaPointerGetAttributes(&attributes, place));
  EXPECT_VALUE(cudaMemoryTypeManaged, attributes.type);
  EXPECT(cudaErrorSymbolNotFound, cudaLibraryGetManaged(&place, &bytes, library, "own"));
  EXPECT(cudaErrorSymbolNotFound, cudaLibraryGetManaged(&place, &bytes, library, "nobody"));
  EXPECT(cudaErrorInvalidValue, cudaLibraryGetUnifiedFunction(&place, library, "nobody"));
  EXPECT(cudaErrorInvalidValue, cudaFree(&counter));
  EXPECT(cudaSuccess, cudaLibraryUnload(library));
}

int main() {
  attributes();
  hints();
  pools();
  graph_memory();
  objects();
  edges();
  libraries();
  return judged();
}
