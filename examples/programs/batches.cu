// Copies in batches and between peers, hints about managed memory, attributes of streams, and
// copies of graphs into variables: what they do, and how they are refused. What is expected is what
// an H100 answered. Prints "passed".
#include <cstring>

#include "expect.h"

constexpr size_t BYTES = 4096;
static char host[BYTES], got[BYTES];
static char *a, *b;
static cudaStream_t s;
__device__ int variable[8];

static long fives() {
  long count = 0;
  for (char byte : got) count += byte == 5;
  return count;
}

static void peers() {
  int value = 0;
  EXPECT(cudaErrorInvalidDevice, cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0));
  EXPECT(cudaErrorInvalidDevice, cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 1));
  EXPECT(cudaErrorInvalidValue, cudaDeviceGetP2PAttribute(nullptr, cudaDevP2PAttrAccessSupported, 0, 0));
  unsigned can[2] = {7, 7};
  cudaAtomicOperation adds[2] = {cudaAtomicOperationIntegerAdd, cudaAtomicOperationFloatAdd};
  EXPECT(cudaErrorInvalidDevice, cudaDeviceGetP2PAtomicCapabilities(can, adds, 2, 0, 1));
  EXPECT(cudaSuccess, cudaDeviceGetHostAtomicCapabilities(can, adds, 2, 0));
  EXPECT_VALUE(0, can[0] | can[1]);
  EXPECT(cudaErrorInvalidValue, cudaDeviceGetHostAtomicCapabilities(can, adds, 0, 0));
  EXPECT(cudaErrorInvalidDevice, cudaDeviceGetHostAtomicCapabilities(can, adds, 2, 1));

  cudaMemcpy3DPeerParms peer = {};
  peer.srcPtr = make_cudaPitchedPtr(a, 64, 64, 4);
  peer.dstPtr = make_cudaPitchedPtr(b, 128, 128, 4);
  peer.extent = make_cudaExtent(32, 4, 2);
  cudaMemcpy(a, host, BYTES, cudaMemcpyDefault);
  cudaMemset(b, 0, BYTES);
  EXPECT(cudaSuccess, cudaMemcpy3DPeer(&peer));
  cudaMemcpy(got, b, BYTES, cudaMemcpyDefault);
  EXPECT_VALUE(256, fives());
  EXPECT_VALUE(5, got[31]);
  EXPECT_VALUE(0, got[32]);
  EXPECT_VALUE(5, got[512]);
  EXPECT(cudaSuccess, cudaMemcpy3DPeerAsync(&peer, s));
  peer.dstDevice = 1;
  EXPECT(cudaErrorInvalidDevice, cudaMemcpy3DPeer(&peer));
  EXPECT(cudaErrorInvalidDevice, cudaMemcpy3DPeerAsync(&peer, s));
  peer.dstDevice = 0;
  peer.extent.width = 65;
  EXPECT(cudaErrorInvalidPitchValue, cudaMemcpy3DPeer(&peer));
  peer.extent.width = 0;
  EXPECT(cudaSuccess, cudaMemcpy3DPeer(&peer));
  EXPECT(cudaErrorInvalidValue, cudaMemcpy3DPeer(nullptr));
}

static void lines() {
  void *to[3] = {a, b, got};
  const void *from[3] = {host, a, b};
  size_t sizes[3] = {100, 100, 100}, at[3] = {0, 1, 2};
  cudaMemcpyAttributes order = {};
  order.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  memset(got, 0, BYTES);
  cudaMemset(a, 0, BYTES);
  cudaMemset(b, 0, BYTES);
  for (int i = 0; i < 3; i++) {
    EXPECT(cudaSuccess, cudaMemcpyBatchAsync(to + i, from + i, sizes, 1, &order, at, 1, s));
    EXPECT(cudaSuccess, cudaStreamSynchronize(s));
  }
  EXPECT_VALUE(5, got[99]);
  EXPECT_VALUE(0, got[100]);
  EXPECT(cudaErrorInvalidValue, cudaMemcpyBatchAsync(to, from, sizes, 1, &order, at, 1, 0));
  EXPECT(cudaErrorInvalidValue, cudaMemcpyBatchAsync(to, from, sizes, 1, &order, at, 1, cudaStreamLegacy));
  EXPECT(cudaSuccess, cudaMemcpyBatchAsync(to, from, sizes, 1, &order, at, 1, cudaStreamPerThread));
  EXPECT(cudaErrorInvalidValue, cudaMemcpyBatchAsync(to, from, sizes, 0, &order, at, 1, s));
  EXPECT(cudaErrorInvalidValue, cudaMemcpyBatchAsync(to, from, sizes, 1, &order, at, 0, s));
  EXPECT(cudaErrorInvalidValue, cudaMemcpyBatchAsync(to, from, sizes, 1, nullptr, nullptr, 0, s));
  EXPECT(cudaErrorInvalidValue, cudaMemcpyBatchAsync(nullptr, from, sizes, 1, &order, at, 1, s));
  at[0] = 1;
  EXPECT(cudaErrorInvalidValue, cudaMemcpyBatchAsync(to, from, sizes, 2, &order, at, 1, s));
  at[0] = 0;
  order.srcAccessOrder = cudaMemcpySrcAccessOrderInvalid;
  EXPECT(cudaErrorInvalidValue, cudaMemcpyBatchAsync(to, from, sizes, 1, &order, at, 1, s));
  order.srcAccessOrder = cudaMemcpySrcAccessOrderDuringApiCall;
  EXPECT(cudaSuccess, cudaMemcpyBatchAsync(to, from, sizes, 1, &order, at, 1, s));
  order.srcAccessOrder = cudaMemcpySrcAccessOrderAny;
  EXPECT(cudaSuccess, cudaMemcpyBatchAsync(to, from, sizes, 1, &order, at, 1, s));
  order.flags = 2;
  EXPECT(cudaErrorInvalidValue, cudaMemcpyBatchAsync(to, from, sizes, 1, &order, at, 1, s));
  order.flags = cudaMemcpyFlagPreferOverlapWithCompute;
  EXPECT(cudaSuccess, cudaMemcpyBatchAsync(to, from, sizes, 1, &order, at, 1, s));
  cudaMemcpyAttributes orders[2] = {order, order};
  size_t holders[2] = {0, 0};
  EXPECT(cudaErrorInvalidValue, cudaMemcpyBatchAsync(to, from, sizes, 2, orders, holders, 2, s));
  holders[1] = 2;
  EXPECT(cudaErrorInvalidValue, cudaMemcpyBatchAsync(to, from, sizes, 2, orders, holders, 2, s));
  holders[1] = 1;
  EXPECT(cudaSuccess, cudaMemcpyBatchAsync(to, from, sizes, 2, orders, holders, 2, s));
  sizes[0] = 0;
  EXPECT(cudaErrorInvalidValue, cudaMemcpyBatchAsync(to, from, sizes, 1, &order, at, 1, s));
  sizes[0] = BYTES + 1;
  EXPECT(cudaErrorInvalidValue, cudaMemcpyBatchAsync(to, from, sizes, 1, &order, at, 1, s));
  sizes[0] = 100;
  to[0] = nullptr;
  EXPECT(cudaErrorInvalidValue, cudaMemcpyBatchAsync(to, from, sizes, 1, &order, at, 1, s));
  EXPECT(cudaSuccess, cudaStreamSynchronize(s));
}

static void boxes() {
  cudaMemcpy3DBatchOp box = {};
  box.src.type = box.dst.type = cudaMemcpyOperandTypePointer;
  box.src.op.ptr = {a, 64, 4, {}};
  box.dst.op.ptr = {b, 128, 4, {}};
  box.extent = make_cudaExtent(32, 4, 2);
  box.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  cudaMemcpy(a, host, BYTES, cudaMemcpyDefault);
  cudaMemset(b, 0, BYTES);
  EXPECT(cudaSuccess, cudaMemcpy3DBatchAsync(1, &box, 0, s));
  EXPECT(cudaSuccess, cudaStreamSynchronize(s));
  cudaMemcpy(got, b, BYTES, cudaMemcpyDefault);
  EXPECT_VALUE(256, fives());
  EXPECT_VALUE(5, got[128]);
  EXPECT_VALUE(5, got[512]);
  EXPECT(cudaErrorInvalidValue, cudaMemcpy3DBatchAsync(1, &box, 0, 0));
  EXPECT(cudaErrorInvalidValue, cudaMemcpy3DBatchAsync(1, &box, 1, s));
  EXPECT(cudaErrorInvalidValue, cudaMemcpy3DBatchAsync(0, &box, 0, s));
  EXPECT(cudaErrorInvalidValue, cudaMemcpy3DBatchAsync(1, nullptr, 0, s));
  box.srcAccessOrder = cudaMemcpySrcAccessOrderInvalid;
  EXPECT(cudaErrorInvalidValue, cudaMemcpy3DBatchAsync(1, &box, 0, s));
  box.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  box.extent.depth = 0;
  EXPECT(cudaErrorInvalidValue, cudaMemcpy3DBatchAsync(1, &box, 0, s));
  box.extent.depth = 2;
  box.src.op.ptr.rowLength = 16;
  EXPECT(cudaErrorInvalidValue, cudaMemcpy3DBatchAsync(1, &box, 0, s));
  box.src.op.ptr.rowLength = box.src.op.ptr.layerHeight = 0;
  EXPECT(cudaSuccess, cudaMemcpy3DBatchAsync(1, &box, 0, s));
  box.src.op.ptr.rowLength = 64;
  box.src.op.ptr.layerHeight = 2;
  EXPECT(cudaErrorInvalidValue, cudaMemcpy3DBatchAsync(1, &box, 0, s));
  box.src.op.ptr.layerHeight = 4;
  box.src.type = (cudaMemcpy3DOperandType)3;
  EXPECT(cudaErrorInvalidValue, cudaMemcpy3DBatchAsync(1, &box, 0, s));
  box.src.type = cudaMemcpyOperandTypePointer;

  // Into an array lengths count texels.
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array, plane;
  cudaMalloc3DArray(&array, &format, make_cudaExtent(16, 8, 4), 0);
  box.dst.type = cudaMemcpyOperandTypeArray;
  box.dst.op.array = {array, {1, 2, 1}};
  box.src.op.ptr.rowLength = 16;
  box.extent = make_cudaExtent(8, 4, 2);
  EXPECT(cudaSuccess, cudaMemcpy3DBatchAsync(1, &box, 0, s));
  EXPECT(cudaSuccess, cudaStreamSynchronize(s));
  cudaMemcpy3DParms back = {};
  back.srcArray = array;
  back.srcPos = make_cudaPos(1, 2, 1);
  back.dstPtr = make_cudaPitchedPtr(got, 64, 64, 4);
  back.extent = box.extent;
  back.kind = cudaMemcpyDeviceToHost;
  memset(got, 0, BYTES);
  EXPECT(cudaSuccess, cudaMemcpy3D(&back));
  EXPECT_VALUE(256, fives());
  cudaArrayMemoryRequirements needs;
  cudaArraySparseProperties sparse;
  EXPECT(cudaErrorInvalidValue, cudaArrayGetPlane(&plane, array, 0));
  EXPECT(cudaErrorInvalidValue, cudaArrayGetMemoryRequirements(&needs, array, 0));
  EXPECT(cudaErrorInvalidValue, cudaArrayGetSparseProperties(&sparse, array));
  cudaFreeArray(array);
}

static cudaMemLocation here = {cudaMemLocationTypeDevice, 0};
static cudaMemLocation there = {cudaMemLocationTypeHost, 0};

static void prefetches() {
  char *managed;
  cudaMallocManaged(&managed, BYTES);
  cudaMemLocation far = {cudaMemLocationTypeDevice, 3};
  void *ours[1] = {managed}, *others[1] = {a};
  size_t bytes[1] = {BYTES}, first[1] = {0};
  EXPECT(cudaSuccess, cudaMemPrefetchBatchAsync(ours, bytes, 1, &here, first, 1, 0, s));
  EXPECT(cudaSuccess, cudaMemPrefetchBatchAsync(ours, bytes, 1, &there, first, 1, 0, s));
  EXPECT(cudaErrorInvalidValue, cudaMemPrefetchBatchAsync(ours, bytes, 1, &far, first, 1, 0, s));
  EXPECT(cudaErrorInvalidValue, cudaMemPrefetchBatchAsync(ours, bytes, 1, &here, first, 1, 1, s));
  EXPECT(cudaErrorInvalidValue, cudaMemPrefetchBatchAsync(ours, bytes, 1, &here, first, 1, 0, 0));
  EXPECT(cudaErrorInvalidValue, cudaMemPrefetchBatchAsync(ours, bytes, 0, &here, first, 1, 0, s));
  EXPECT(cudaErrorInvalidValue, cudaMemPrefetchBatchAsync(ours, bytes, 1, &here, first, 0, 0, s));
  EXPECT(cudaErrorInvalidValue, cudaMemPrefetchBatchAsync(others, bytes, 1, &here, first, 1, 0, s));
  EXPECT(cudaSuccess, cudaMemDiscardBatchAsync(ours, bytes, 1, 0, s));
  EXPECT(cudaErrorInvalidValue, cudaMemDiscardBatchAsync(others, bytes, 1, 0, s));
  EXPECT(cudaErrorInvalidValue, cudaMemDiscardBatchAsync(ours, bytes, 0, 0, s));
  EXPECT(cudaErrorInvalidValue, cudaMemDiscardBatchAsync(ours, bytes, 1, 1, s));
  EXPECT(cudaErrorInvalidValue, cudaMemDiscardBatchAsync(ours, bytes, 1, 0, 0));
  EXPECT(cudaSuccess, cudaMemDiscardAndPrefetchBatchAsync(ours, bytes, 1, &here, first, 1, 0, s));
  EXPECT(cudaErrorInvalidValue, cudaMemDiscardAndPrefetchBatchAsync(others, bytes, 1, &here, first, 1, 0, s));
  EXPECT(cudaSuccess, cudaStreamSynchronize(s));
  cudaFree(managed);
}

// Attributes 1 to 8 of a range; of the third, those that access it, two numbers.
static void expect_range(const char *when, const char *range, const int (&stated)[8], int second) {
  for (int i = 1; i <= 8; i++) {
    int found[2] = {-77, -77};
    expect(when, cudaMemRangeGetAttribute(found, i == 3 ? 8 : 4, (cudaMemRangeAttribute)i, range, BYTES),
           cudaSuccess);
    expect(when, found[0], stated[i - 1]);
    expect(when, found[1], i == 3 ? second : -77);
  }
}

static void ranges() {
  char *managed;
  cudaMallocManaged(&managed, BYTES);
  expect_range("at first", managed, {0, -2, -2, -2, 0, -2, 0, -2}, -2);
  EXPECT(cudaSuccess, cudaMemAdvise(managed, BYTES, cudaMemAdviseSetReadMostly, here));
  EXPECT(cudaSuccess, cudaMemAdvise(managed, BYTES, cudaMemAdviseSetPreferredLocation, here));
  EXPECT(cudaSuccess, cudaMemAdvise(managed, BYTES, cudaMemAdviseSetAccessedBy, there));
  EXPECT(cudaSuccess, cudaMemPrefetchAsync(managed, BYTES, here, 0, s));
  expect_range("advised", managed, {1, 0, -1, 0, 1, 0, 1, 0}, -2);
  EXPECT(cudaSuccess, cudaMemAdvise(managed, BYTES / 2, cudaMemAdviseUnsetReadMostly, here));
  EXPECT(cudaSuccess, cudaMemAdvise(managed, BYTES, cudaMemAdviseSetPreferredLocation, there));
  EXPECT(cudaSuccess, cudaMemAdvise(managed, BYTES, cudaMemAdviseUnsetAccessedBy, there));
  EXPECT(cudaSuccess, cudaMemAdvise(managed, BYTES, cudaMemAdviseSetAccessedBy, here));
  EXPECT(cudaSuccess, cudaMemPrefetchAsync(managed, BYTES, there, 0, s));
  expect_range("advised again", managed, {0, -1, 0, -1, 2, -1, 2, -1}, -2);

  int first = 7, second = 7;
  const cudaMemRangeAttribute read_mostly = cudaMemRangeAttributeReadMostly;
  EXPECT(cudaErrorInvalidValue, cudaMemRangeGetAttribute(&first, 4, (cudaMemRangeAttribute)0, managed, BYTES));
  EXPECT(cudaErrorInvalidValue, cudaMemRangeGetAttribute(&first, 4, (cudaMemRangeAttribute)9, managed, BYTES));
  EXPECT(cudaErrorInvalidValue, cudaMemRangeGetAttribute(&first, 8, read_mostly, managed, BYTES));
  EXPECT(cudaErrorInvalidValue, cudaMemRangeGetAttribute(&first, 4, read_mostly, a, BYTES));
  EXPECT(cudaErrorInvalidValue, cudaMemRangeGetAttribute(&first, 4, read_mostly, host, BYTES));
  EXPECT(cudaErrorInvalidValue, cudaMemRangeGetAttribute(&first, 4, read_mostly, managed, 0));
  EXPECT(cudaErrorInvalidValue, cudaMemRangeGetAttribute(nullptr, 4, read_mostly, managed, BYTES));
  EXPECT(cudaErrorInvalidValue, cudaMemRangeGetAttribute(&first, 4, read_mostly, managed, 4 * BYTES));
  EXPECT(cudaErrorInvalidValue, cudaMemRangeGetAttribute(&first, 6, cudaMemRangeAttributeAccessedBy, managed, BYTES));
  void *into[2] = {&first, &second};
  size_t sizes[2] = {4, 4};
  cudaMemRangeAttribute which[2] = {read_mostly, cudaMemRangeAttributePreferredLocation};
  EXPECT(cudaSuccess, cudaMemRangeGetAttributes(into, sizes, which, 2, managed, BYTES));
  EXPECT_VALUE(0, first);
  EXPECT_VALUE(-1, second);
  EXPECT(cudaErrorInvalidValue, cudaMemRangeGetAttributes(into, sizes, which, 0, managed, BYTES));
  EXPECT(cudaErrorInvalidValue, cudaMemRangeGetAttributes(nullptr, sizes, which, 2, managed, BYTES));
  cudaStreamSynchronize(s);
  cudaFree(managed);
}

static void attributes() {
  cudaStream_t other;
  cudaStreamCreateWithPriority(&other, cudaStreamNonBlocking, -3);
  cudaStreamAttrValue value;
  for (int i = 0; i < 16; i++) {
    bool there = i == 1 || i == 3 || (i >= 8 && i <= 10);
    memset(&value, 0x77, sizeof value);
    expect("what streams have", cudaStreamGetAttribute(other, (cudaStreamAttrID)i, &value),
           there ? cudaSuccess : cudaErrorInvalidValue);
    int stated[] = {0, 0, 0, -1, 0, 0, 0, 0, -3, 0x77770100, 0};
    if (there) expect("at first", *(int *)&value, stated[i]);
    memset(&value, 0, sizeof value);
    expect("what streams are told", cudaStreamSetAttribute(s, (cudaStreamAttrID)i, &value),
           there && i != 3 ? cudaSuccess : cudaErrorInvalidValue);
  }
  const cudaStreamAttrID policy = cudaStreamAttributeSynchronizationPolicy;
  const cudaStreamAttrID window = cudaStreamAttributeAccessPolicyWindow;
  value.syncPolicy = cudaSyncPolicySpin;
  EXPECT(cudaSuccess, cudaStreamSetAttribute(s, policy, &value));
  value.syncPolicy = (cudaSynchronizationPolicy)9;
  EXPECT(cudaErrorInvalidValue, cudaStreamSetAttribute(s, policy, &value));
  EXPECT(cudaSuccess, cudaStreamCopyAttributes(other, s));
  EXPECT(cudaSuccess, cudaStreamGetAttribute(other, policy, &value));
  EXPECT_VALUE(cudaSyncPolicySpin, value.syncPolicy);
  int priority = 9;
  value.priority = -2;
  EXPECT(cudaSuccess, cudaStreamSetAttribute(other, cudaLaunchAttributePriority, &value));
  EXPECT(cudaSuccess, cudaStreamGetPriority(other, &priority));
  EXPECT_VALUE(-2, priority);
  EXPECT(cudaSuccess, cudaStreamCopyAttributes(s, other));
  EXPECT(cudaSuccess, cudaStreamGetPriority(s, &priority));
  EXPECT_VALUE(-2, priority);
  EXPECT(cudaSuccess, cudaStreamCopyAttributes(0, s));
  EXPECT(cudaSuccess, cudaStreamGetAttribute(0, policy, &value));
  EXPECT_VALUE(cudaSyncPolicySpin, value.syncPolicy);
  memset(&value, 0, sizeof value);
  value.accessPolicyWindow = {a, 1024, 1, cudaAccessPropertyPersisting, cudaAccessPropertyStreaming};
  EXPECT(cudaSuccess, cudaStreamSetAttribute(s, window, &value));
  memset(&value, 0, sizeof value);
  EXPECT(cudaSuccess, cudaStreamGetAttribute(s, window, &value));
  EXPECT_VALUE(1024, value.accessPolicyWindow.num_bytes);
  EXPECT_VALUE(cudaAccessPropertyStreaming, value.accessPolicyWindow.missProp);
  value.accessPolicyWindow.hitRatio = 2;
  EXPECT(cudaErrorInvalidValue, cudaStreamSetAttribute(s, window, &value));
  EXPECT(cudaSuccess, cudaCtxResetPersistingL2Cache());
  cudaStreamDestroy(other);
}

static void variables_in_graphs() {
  cudaGraph_t graph;
  cudaGraphNode_t node;
  cudaGraphExec_t ready;
  int eight[8] = {1, 2, 3, 4, 5, 6, 7, 8}, back[8] = {};
  cudaGraphCreate(&graph, 0);
  EXPECT(cudaSuccess, cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, a, host, 32, cudaMemcpyDefault));
  EXPECT(cudaSuccess, cudaGraphMemcpyNodeSetParamsToSymbol(node, variable, eight, 16, 8, cudaMemcpyHostToDevice));
  EXPECT(cudaSuccess, cudaGraphInstantiate(&ready, graph, 0));
  EXPECT(cudaSuccess, cudaGraphLaunch(ready, s));
  EXPECT(cudaSuccess, cudaStreamSynchronize(s));
  EXPECT(cudaSuccess, cudaMemcpyFromSymbol(back, variable, 32));
  EXPECT_VALUE(1, back[2]);
  EXPECT_VALUE(4, back[5]);
  EXPECT_VALUE(0, back[6]);
  EXPECT(cudaSuccess, cudaGraphExecMemcpyNodeSetParamsToSymbol(ready, node, variable, eight + 4, 16, 0, cudaMemcpyHostToDevice));
  EXPECT(cudaSuccess, cudaGraphLaunch(ready, s));
  EXPECT(cudaSuccess, cudaStreamSynchronize(s));
  EXPECT(cudaSuccess, cudaMemcpyFromSymbol(back, variable, 32));
  EXPECT_VALUE(5, back[0]);
  EXPECT_VALUE(8, back[3]);
  EXPECT_VALUE(3, back[4]);
  EXPECT(cudaErrorInvalidValue, cudaGraphMemcpyNodeSetParamsToSymbol(node, variable, eight, 32, 8, cudaMemcpyHostToDevice));
  EXPECT(cudaErrorInvalidMemcpyDirection, cudaGraphMemcpyNodeSetParamsToSymbol(node, variable, eight, 16, 0, cudaMemcpyDeviceToHost));
  EXPECT(cudaErrorInvalidSymbol, cudaGraphMemcpyNodeSetParamsToSymbol(node, eight, eight, 16, 0, cudaMemcpyHostToDevice));
  EXPECT(cudaErrorInvalidValue, cudaGraphMemcpyNodeSetParamsToSymbol(nullptr, variable, eight, 16, 0, cudaMemcpyHostToDevice));
  EXPECT(cudaSuccess, cudaGraphMemcpyNodeSetParamsFromSymbol(node, back, variable, 16, 4, cudaMemcpyDeviceToHost));
  EXPECT(cudaErrorInvalidValue, cudaGraphExecMemcpyNodeSetParamsFromSymbol(ready, node, back, variable, 16, 4, cudaMemcpyDeviceToHost));
  cudaGraphExecDestroy(ready);
  EXPECT(cudaSuccess, cudaGraphInstantiate(&ready, graph, 0));
  memset(back, 0, sizeof back);
  EXPECT(cudaSuccess, cudaGraphLaunch(ready, s));
  EXPECT(cudaSuccess, cudaStreamSynchronize(s));
  EXPECT_VALUE(6, back[0]);
  EXPECT_VALUE(3, back[3]);
  EXPECT(cudaSuccess, cudaGraphExecMemcpyNodeSetParamsFromSymbol(ready, node, back + 4, variable, 16, 0, cudaMemcpyDeviceToHost));
  EXPECT(cudaSuccess, cudaGraphLaunch(ready, s));
  EXPECT(cudaSuccess, cudaStreamSynchronize(s));
  EXPECT_VALUE(5, back[4]);
  EXPECT_VALUE(8, back[7]);
  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);
}

static void widths() {
  size_t width = 0;
  cudaChannelFormatDesc one = cudaCreateChannelDesc<char>(), four = cudaCreateChannelDesc<float>(),
                        sixteen = cudaCreateChannelDesc<float4>();
  EXPECT(cudaSuccess, cudaDeviceGetTexture1DLinearMaxWidth(&width, &one, 0));
  EXPECT_VALUE(1 << 30, width);
  EXPECT(cudaSuccess, cudaDeviceGetTexture1DLinearMaxWidth(&width, &four, 0));
  EXPECT_VALUE(1 << 30, width);
  EXPECT(cudaSuccess, cudaDeviceGetTexture1DLinearMaxWidth(&width, &sixteen, 0));
  EXPECT_VALUE(1 << 28, width);
  EXPECT(cudaErrorInvalidDevice, cudaDeviceGetTexture1DLinearMaxWidth(&width, &four, 1));
  EXPECT(cudaErrorInvalidValue, cudaDeviceGetTexture1DLinearMaxWidth(nullptr, &four, 0));
  EXPECT(cudaErrorInvalidValue, cudaDeviceGetTexture1DLinearMaxWidth(&width, nullptr, 0));
}

int main() {
  memset(host, 5, BYTES);
  cudaMalloc(&a, BYTES);
  cudaMalloc(&b, BYTES);
  cudaStreamCreate(&s);
  peers();
  lines();
  boxes();
  prefetches();
  ranges();
  attributes();
  variables_in_graphs();
  widths();
  cudaStreamDestroy(s);
  cudaFree(a);
  cudaFree(b);
  return judged();
}
