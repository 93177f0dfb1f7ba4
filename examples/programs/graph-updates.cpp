// What an update of an executable graph answers (cuGraphExecUpdate, of CUDA 12 and of CUDA 11): the
// reason, which node of the other graph, and what that waits for. Each graph is written as its nodes
// in the order in which they are added, a letter for what one does and numbers of those it waits for.
// What is expected is what an H200 answered. Prints "passed", or each answer that is another.
#include <cuda.h>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#undef cuGraphExecUpdate
extern "C" CUresult cuGraphExecUpdate(CUgraphExec, CUgraph, CUgraphNode *, CUgraphExecUpdateResult *);

static const int UNASKED = -9;
static const int INSIDE = 99;  // a node of a graph in the graph

static const struct {
  const char *graphs;
  int reason, node, from, oldReason, oldNode;
} answers[] = {
    {"M C0|E", 2, -1, -1, 6, -1},
    {"M C0|M", 2, -1, -1, UNASKED, 0},
    {"M C0|C", 2, -1, -1, UNASKED, 0},
    {"M C0|M C0 C1", 2, -1, -1, UNASKED, 0},
    {"M C0|E E0", 3, 1, -1, UNASKED, 0},
    {"M C0|E E", 2, 0, -1, UNASKED, 0},
    {"M C0|C M0", 3, 1, -1, UNASKED, 0},
    {"M C0|", 2, -1, -1, UNASKED, 0},
    {"K K0|K", 2, -1, -1, 6, -1},
    {"K K0|E", 2, -1, -1, UNASKED, 0},
    {"K K0|E E0", 3, 1, -1, 3, 0},
    {"K K0|K K0 K1", 2, -1, -1, UNASKED, 0},
    {"K K|K K0", 2, -1, -1, 2, 0},
    {"K K0|K K", 2, 0, -1, 2, 0},
    {"K|E", 3, 0, -1, 3, 0},
    {"E|K", 3, 0, -1, UNASKED, 0},
    {"E|M", 3, 0, -1, UNASKED, 0},
    {"M|E", 3, 0, -1, UNASKED, 0},
    {"C|E", 3, 0, -1, UNASKED, 0},
    {"M|K", 3, 0, -1, UNASKED, 0},
    {"K|M", 3, 0, -1, UNASKED, 0},
    {"K|C", 3, 0, -1, UNASKED, 0},
    {"C|M", 3, 0, -1, UNASKED, 0},
    {"M|C", 3, 0, -1, UNASKED, 0},
    {"H|E", 3, 0, -1, UNASKED, 0},
    {"H|K", 3, 0, -1, UNASKED, 0},
    {"K|H", 3, 0, -1, UNASKED, 0},
    {"E|E E0", 2, -1, -1, UNASKED, 0},
    {"E E0|E", 2, -1, -1, UNASKED, 0},
    {"M M0|M", 2, -1, -1, UNASKED, 0},
    {"M M0|E", 2, -1, -1, UNASKED, 0},
    {"C C0|E", 2, -1, -1, UNASKED, 0},
    {"H H0|E", 2, -1, -1, UNASKED, 0},
    {"H H0|H", 2, -1, -1, UNASKED, 0},
    {"H H0|K", 2, -1, -1, UNASKED, 0},
    {"K M0|E", 2, -1, -1, UNASKED, 0},
    {"M K0|E", 2, -1, -1, UNASKED, 0},
    {"K M0|K", 2, -1, -1, UNASKED, 0},
    {"M K0|K", 2, -1, -1, UNASKED, 0},
    {"K M0|M", 2, -1, -1, UNASKED, 0},
    {"M K0|M", 2, -1, -1, UNASKED, 0},
    {"K C0|K", 2, -1, -1, UNASKED, 0},
    {"K H0|K", 2, -1, -1, UNASKED, 0},
    {"K H0|E", 2, -1, -1, UNASKED, 0},
    {"|E", 2, -1, -1, UNASKED, 0},
    {"E|", 2, -1, -1, UNASKED, 0},
    {"K|", 2, -1, -1, UNASKED, 0},
    {"|", 0, -1, -1, UNASKED, 0},
    {"K|k", 0, -1, -1, UNASKED, 0},
    {"M|m", 0, -1, -1, UNASKED, 0},
    {"M|n", 0, -1, -1, UNASKED, 0},
    {"M|o", 0, -1, -1, UNASKED, 0},
    {"M|p", 0, -1, -1, UNASKED, 0},
    {"M|W", 5, 0, -1, 5, 0},
    {"W|M", 5, 0, -1, UNASKED, 0},
    {"W|w", 5, 0, -1, UNASKED, 0},
    {"W|v", 5, 0, -1, UNASKED, 0},
    {"W|u", 0, -1, -1, UNASKED, 0},
    {"W|t", 5, 0, -1, UNASKED, 0},
    {"C|c", 0, -1, -1, UNASKED, 0},
    {"C|b", 0, -1, -1, UNASKED, 0},
    {"C|D", 5, 0, -1, 5, 0},
    {"D|C", 5, 0, -1, UNASKED, 0},
    {"C|G", 5, 0, -1, UNASKED, 0},
    {"G|C", 5, 0, -1, UNASKED, 0},
    {"C|Z", 5, 0, -1, UNASKED, 0},
    {"Z|C", 5, 0, -1, UNASKED, 0},
    {"H|h", 0, -1, -1, UNASKED, 0},
    {"R|r", 0, -1, -1, UNASKED, 0},
    {"R|E", 3, 0, -1, UNASKED, 0},
    {"R|K", 3, 0, -1, UNASKED, 0},
    {"S|S", 0, -1, -1, UNASKED, 0},
    {"S|s", 2, -1, -1, 6, -1},
    {"s|S", 2, -1, -1, UNASKED, 0},
    {"S|q", 3, 99, -1, 3, 99},
    {"S|Q", 0, -1, -1, UNASKED, 0},
    {"S|K", 3, 0, -1, UNASKED, 0},
    {"K|S", 3, 0, -1, UNASKED, 0},
    {"A F0|A F0", 0, -1, -1, UNASKED, 0},
    {"A F0|E", 2, -1, -1, UNASKED, 0},
    {"A F0|K K0", 3, 1, -1, UNASKED, 0},
    {"K K0|A F0", 3, 1, -1, UNASKED, 0},
    {"K M0 H0 E12|K H0 M0 E12", 3, 1, -1, UNASKED, 0},
    {"K M|M K", 3, 1, -1, UNASKED, 0},
    {"K K0 K1|K K0 K0", 2, 1, -1, UNASKED, 0},
    {"K K0 K0|K K0 K1", 2, -1, -1, UNASKED, 0},
    {"K K E0 H1|K K E1 H0", 0, -1, -1, UNASKED, 0},
    {"K K E01|K K E0", 2, 1, -1, UNASKED, 0},
    {"K K E0|K K E01", 2, -1, -1, UNASKED, 0},
    {"K K0 K01|K K0 K1", 2, 2, -1, 2, 0},
    {"K K|K K K", 2, -1, -1, UNASKED, 0},
    {"K K K|K K", 2, -1, -1, UNASKED, 0},
    {"E M0|E", 2, -1, -1, UNASKED, 0},
    {"E M0|M", 2, -1, -1, UNASKED, 0},
    {"M E0|M", 2, -1, -1, UNASKED, 0},
    {"M E0|E", 2, -1, -1, UNASKED, 0},
    {"K E0|K", 2, -1, -1, UNASKED, 0},
    {"K E0|E", 2, -1, -1, UNASKED, 0},
    {"S K0|S", 2, -1, -1, UNASKED, 0},
    {"S K0|K", 2, -1, -1, UNASKED, 0},
    {"Z|Z", 0, -1, -1, 0, -1},
    {"Z|z", 5, 0, -1, 5, 0},
    {"W|W", 0, -1, -1, 0, -1},
    {"K M0 E1 H|K K0 E1 K", 3, 3, -1, 3, 1},
    {"K K0 E01|K K0 H1", 2, 2, -1, 2, 0},
    {"K K K0 K0 E231|K K K0 K1 E231", 2, 3, 1, 2, 0},
    {"K K K0 K1 E231|K K K0 K0 E231", 2, 3, 0, 2, 0},
    {"K K0 E01|K K0 E10", 2, 1, -1, 0, -1},
    {"K K E01|K K E10", 0, -1, -1, 0, -1},
    {"K M E01|K M E10", 3, 1, -1, 0, -1},
    {"K M E01|M K E10", 0, -1, -1, 3, 0},
    {"K M E0 H0 K1 K234|K M E1 H1 K0 K234", 3, 1, -1, 2, 0},
    {"S K0|q K0", 3, 99, -1, 3, 99},
    {"K K0 K1 K K3 K4|K K0 K1 H H3 H4", 3, 5, -1, 3, 3}};

static const char *ptx = ".version 7.0\n.target sm_52\n.address_size 64\n"
                         ".visible .entry one(){ret;}\n.visible .entry two(){ret;}\n";

static int wrong;
static CUcontext context;
static CUfunction one, two;
static CUdeviceptr device;
static void *pinned;
static CUevent events[2];

#define CHECK(call)                                                                 \
  do {                                                                              \
    CUresult error = (call);                                                        \
    if (error) wrong++, printf("%d: %s: %d\n", __LINE__, #call, error);             \
  } while (0)

struct Graph {
  CUgraph graph;
  std::vector<CUgraphNode> nodes;
  CUdeviceptr allocated;

  explicit Graph(const std::string &text);
  ~Graph() { CHECK(cuGraphDestroy(graph)); }
  void add(char what, const std::vector<CUgraphNode> &after);

  // The number of a node.
  int number(CUgraphNode node) const {
    for (size_t i = 0; i < nodes.size(); i++)
      if (nodes[i] == node) return i;
    return node ? INSIDE : -1;
  }
};

static void CUDA_CB first(void *) {}
static void CUDA_CB second(void *) {}

// From and to the device (0, 4096) or the host (-1), in rows of 512 bytes.
static CUDA_MEMCPY3D box(long from, long to, size_t width, size_t height = 1) {
  CUDA_MEMCPY3D copy;
  memset(&copy, 0, sizeof copy);
  copy.srcMemoryType = from < 0 ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
  copy.srcHost = pinned;
  copy.srcDevice = device + from;
  copy.dstMemoryType = to < 0 ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
  copy.dstHost = pinned;
  copy.dstDevice = device + 65536 + to;
  copy.srcPitch = copy.dstPitch = 512;
  copy.srcHeight = copy.dstHeight = copy.Height = height;
  copy.WidthInBytes = width;
  copy.Depth = 1;
  return copy;
}

void Graph::add(char what, const std::vector<CUgraphNode> &after) {
  CUgraphNode node = nullptr;
  const CUgraphNode *d = after.data();
  size_t n = after.size();
  auto fill = [&](CUdeviceptr at, size_t pitch, unsigned element, size_t width, size_t height) {
    CUDA_MEMSET_NODE_PARAMS p = {at, pitch, 1, element, width, height};
    CHECK(cuGraphAddMemsetNode(&node, graph, d, n, &p, context));
  };
  auto copy = [&](CUDA_MEMCPY3D p) { CHECK(cuGraphAddMemcpyNode(&node, graph, d, n, &p, context)); };
  auto launch = [&](CUfunction function) {
    CUDA_KERNEL_NODE_PARAMS p = {function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr};
    CHECK(cuGraphAddKernelNode(&node, graph, d, n, &p));
  };
  auto call = [&](CUhostFn function) {
    CUDA_HOST_NODE_PARAMS p = {function, nullptr};
    CHECK(cuGraphAddHostNode(&node, graph, d, n, &p));
  };
  auto child = [&](const char *text) {
    CHECK(cuGraphAddChildGraphNode(&node, graph, d, n, Graph(text).graph));
  };
  switch (what) {
    case 'E': CHECK(cuGraphAddEmptyNode(&node, graph, d, n)); break;
    case 'K': launch(one); break;
    case 'k': launch(two); break;
    case 'H': call(first); break;
    case 'h': call(second); break;
    case 'R': CHECK(cuGraphAddEventRecordNode(&node, graph, d, n, events[0])); break;
    case 'r': CHECK(cuGraphAddEventRecordNode(&node, graph, d, n, events[1])); break;
    case 'S': child("K"); break;
    case 's': child("K K0"); break;
    case 'Q': child("k"); break;
    case 'q': child("M"); break;
    // fills of a line: others in width, address, element, and of the host's memory
    case 'M': fill(device, 0, 4, 4, 1); break;
    case 'm': fill(device, 0, 4, 8, 1); break;
    case 'n': fill(device + 4096, 0, 4, 4, 1); break;
    case 'o': fill(device, 0, 1, 16, 1); break;
    case 'p': fill((CUdeviceptr)pinned, 0, 4, 4, 1); break;
    // of rows: others in width, pitch, element and address, height
    case 'W': fill(device, 512, 4, 4, 4); break;
    case 'w': fill(device, 512, 4, 8, 4); break;
    case 'v': fill(device, 1024, 4, 4, 4); break;
    case 'u': fill(device + 4096, 512, 2, 4, 4); break;
    case 't': fill(device, 512, 4, 4, 8); break;
    case 'C': copy(box(0, 4096, 16)); break;
    case 'c': copy(box(0, 4096, 32)); break;
    case 'b': copy(box(4096, 4096, 16)); break;
    case 'D': copy(box(0, -1, 16)); break;
    case 'G': copy(box(-1, 0, 16)); break;
    case 'Z': copy(box(0, 4096, 16, 4)); break;
    case 'z': copy(box(4096, 0, 16, 4)); break;
    case 'A': {
      CUDA_MEM_ALLOC_NODE_PARAMS p;
      memset(&p, 0, sizeof p);
      p.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
      p.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
      p.bytesize = 1024;
      CHECK(cuGraphAddMemAllocNode(&node, graph, d, n, &p));
      allocated = p.dptr;
      break;
    }
    case 'F': CHECK(cuGraphAddMemFreeNode(&node, graph, d, n, allocated)); break;
    default: wrong++, printf("%c\n", what);
  }
  nodes.push_back(node);
}

Graph::Graph(const std::string &text) {
  CHECK(cuGraphCreate(&graph, 0));
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    std::vector<CUgraphNode> after;
    for (size_t i = 1; i < word.size(); i++) after.push_back(nodes[word[i] - '0']);
    add(word[0], after);
  }
}

int main() {
  CUdevice ordinal;
  CUmodule module;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&ordinal, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, ordinal));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuModuleLoadData(&module, ptx));
  CHECK(cuModuleGetFunction(&one, module, "one"));
  CHECK(cuModuleGetFunction(&two, module, "two"));
  CHECK(cuMemAlloc(&device, 1 << 20));
  CHECK(cuMemAllocHost(&pinned, 1 << 20));
  for (CUevent &event : events) CHECK(cuEventCreate(&event, 0));
  for (const auto &each : answers) {
    std::string text = each.graphs;
    size_t bar = text.find('|');
    Graph own(text.substr(0, bar)), other(text.substr(bar + 1));
    CUgraphExec executable;
    CHECK(cuGraphInstantiateWithFlags(&executable, own.graph, 0));
    CUgraphExecUpdateResultInfo info;
    CUresult code = cuGraphExecUpdate_v2(executable, other.graph, &info);
    int node = other.number(info.errorNode), from = other.number(info.errorFromNode);
    if (info.result != each.reason || node != each.node || from != each.from ||
        code != (each.reason ? CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE : CUDA_SUCCESS))
      wrong++, printf("%s: %d, %d %d %d\n", each.graphs, code, info.result, node, from);
    CUgraphNode at;
    CUgraphExecUpdateResult reason;
    if (each.oldReason != UNASKED) {
      cuGraphExecUpdate(executable, other.graph, &at, &reason);
      if (reason != each.oldReason || other.number(at) != each.oldNode)
        wrong++, printf("old, %s: %d %d\n", each.graphs, reason, other.number(at));
    }
    CHECK(cuGraphExecDestroy(executable));
  }
  if (!wrong) puts("passed");
  return wrong != 0;
}
