package dev.heddle.programs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

@DisplayName("Conditional nodes of graphs: what is wrong with them is told")
final class GraphConditionsTest {
    @Test
    void theBodyOfAConditionalNodeIsOfTheDeviceAlone(@TempDir Path folder)
            throws IOException, InterruptedException {
        Path source =
                Files.writeString(
                        folder.resolve("body.cu"),
                        """
                        #include <cstdio>
                        int main() {
                          cudaGraph_t graph;
                          cudaGraphNode_t node, call;
                          cudaGraphConditionalHandle handle;
                          cudaGraphExec_t executable;
                          cudaGraphCreate(&graph, 0);
                          cudaGraphConditionalHandleCreate(&handle, graph);
                          cudaGraphNodeParams made = {cudaGraphNodeTypeConditional};
                          made.conditional.handle = handle;
                          made.conditional.size = 1;
                          cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &made);
                          cudaHostNodeParams host = {[](void *) {}, nullptr};
                          cudaGraphAddHostNode(
                              &call, made.conditional.phGraph_out[0], nullptr, 0, &host);
                          printf("%s\\n",
                              cudaGetErrorName(cudaGraphInstantiate(&executable, graph, 0)));
                        }
                        """);
        Programs.Ended ended = Programs.run(Programs.nvcc(folder, source), List.of());
        assertThat(ended.out()).isEqualTo("cudaErrorInvalidValue\n");
        assertThat(ended.err())
                .contains("heddle: a node HOST in the body of a conditional node: only launches,");
    }

    @Test
    void aConditionHasAHandle(@TempDir Path folder) throws IOException, InterruptedException {
        Path source =
                Files.writeString(
                        folder.resolve("handle.cu"),
                        """
                        #include <cstdio>
                        __global__ void decide() { cudaGraphSetConditional(12345, 1); }
                        int main() {
                          decide<<<1, 1>>>();
                          printf("%s\\n", cudaGetErrorName(cudaDeviceSynchronize()));
                        }
                        """);
        Path program = Programs.nvcc(folder, source, "-arch=compute_80", "-code=compute_80");
        Programs.Ended ended = Programs.run(program, List.of());
        assertThat(ended.err())
                .contains(
                        "undefined behavior: cudaGraphSetConditional of 0x3039, which is no handle"
                                + " of a condition");
        assertThat(ended.out()).isEqualTo("cudaErrorIllegalAddress\n");
        assertThat(ended.code()).isEqualTo(1);
    }

    @Test
    void aLoopEndsWhereItsKernelDoesSomethingUndefined(@TempDir Path folder)
            throws IOException, InterruptedException {
        Path source =
                Files.writeString(
                        folder.resolve("loop.cu"),
                        """
                        #include <cstdio>
                        __global__ void outside(int *a) { a[1000] = 1; }
                        int main() {
                          int *a;
                          cudaMalloc(&a, 64);
                          cudaGraph_t graph;
                          cudaGraphNode_t node;
                          cudaGraphExec_t executable;
                          cudaGraphConditionalHandle handle;
                          cudaStream_t stream;
                          cudaStreamCreate(&stream);
                          cudaGraphCreate(&graph, 0);
                          cudaGraphConditionalHandleCreate(
                              &handle, graph, 1, cudaGraphCondAssignDefault);
                          cudaGraphNodeParams made = {cudaGraphNodeTypeConditional};
                          made.conditional.handle = handle;
                          made.conditional.type = cudaGraphCondTypeWhile;
                          made.conditional.size = 1;
                          cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &made);
                          cudaStreamBeginCaptureToGraph(stream, made.conditional.phGraph_out[0],
                              nullptr, nullptr, 0, cudaStreamCaptureModeGlobal);
                          outside<<<1, 1, 0, stream>>>(a);
                          cudaStreamEndCapture(stream, nullptr);
                          cudaGraphInstantiate(&executable, graph, 0);
                          cudaGraphLaunch(executable, stream);
                          printf("%s\\n", cudaGetErrorName(cudaDeviceSynchronize()));
                        }
                        """);
        Path program = Programs.nvcc(folder, source, "-arch=compute_80", "-code=compute_80");
        Programs.Ended ended = Programs.run(program, List.of());
        assertThat(ended.out()).isEqualTo("cudaErrorIllegalAddress\n");
        assertThat(ended.err()).containsOnlyOnce("undefined behavior: store of 4 bytes");
    }

    @Test
    void aLoopWithoutEndTakesNoLongerThanALaunchMay(@TempDir Path folder)
            throws IOException, InterruptedException {
        Path source =
                Files.writeString(
                        folder.resolve("endless.cu"),
                        """
                        #include <cstdio>
                        int main() {
                          cudaGraph_t graph;
                          cudaGraphNode_t node;
                          cudaGraphExec_t executable;
                          cudaGraphConditionalHandle handle;
                          cudaGraphCreate(&graph, 0);
                          cudaGraphConditionalHandleCreate(
                              &handle, graph, 1, cudaGraphCondAssignDefault);
                          cudaGraphNodeParams made = {cudaGraphNodeTypeConditional};
                          made.conditional.handle = handle;
                          made.conditional.type = cudaGraphCondTypeWhile;
                          made.conditional.size = 1;
                          cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &made);
                          cudaGraphInstantiate(&executable, graph, 0);
                          cudaGraphLaunch(executable, 0);
                          printf("%s\\n", cudaGetErrorName(cudaDeviceSynchronize()));
                        }
                        """);
        Programs.Ended ended = Programs.run(Programs.nvcc(folder, source), List.of("timeout=1"));
        assertThat(ended.out()).isEqualTo("cudaErrorLaunchTimeout\n");
        assertThat(ended.err())
                .contains(
                        "heddle: a loop by cudaGraphConditionalHandleCreate #1, called by main",
                        "resource exhausted: the while loop of a graph has not ended within 1 s");
        assertThat(ended.code()).isEqualTo(1);
    }
}
