package dev.heddle.programs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Explanation;
import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.Severity;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

@DisplayName("heddle explain: the examples of rules for programs")
final class ProgramExamplesTest {
    private static final String AROUND =
            """
            __global__ void produce(int *a) { a[threadIdx.x] = threadIdx.x; }
            __global__ void consume(const int *a, int *b) {
              b[threadIdx.x] = a[threadIdx.x];
            }
            __global__ void hold(volatile int *flag) {
              flag[1] = 1;
              while (flag[0] == 0) {
              }
            }
            __global__ void junk(int *a) {
              asm volatile("{ .reg .b32 nobody, kept; shfl.sync.down.b32 kept, nobody, 1, 31, -1; }");
              a[threadIdx.x] = 1;
            }
            namespace example {
            KERNELS
            }
            int main() {
              int *a, *b, host[256];
              cudaStream_t one, two;
              cudaEvent_t event;
              cudaMalloc(&a, 1024);
              cudaMalloc(&b, 1024);
              volatile int *flag;
              cudaHostAlloc((void **)&flag, 8, cudaHostAllocMapped);
              flag[0] = flag[1] = 0;
              FIRST
              cudaStreamCreate(&one);
              cudaStreamCreate(&two);
              cudaEventCreate(&event);
              CALLS
              cudaDeviceSynchronize();
            }
            """;

    /// The second may begin before the first has ended.
    private static final String EARLY =
            """
            example::produce<<<1, 256, 0, one>>>(a);
            cudaLaunchAttribute early;
            early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
            early.val.programmaticStreamSerializationAllowed = 1;
            cudaLaunchConfig_t next = {1, 256, 0, one, &early, 1};
            cudaLaunchKernelEx(&next, example::consume, a, b);
            """;

    @ParameterizedTest
    @CsvSource({
        "UNORDERED_STREAMS, 'cudaMemset(a, 0, 1024);'",
        "PREREQUISITE_NOT_AWAITED, 'cudaMemset(a, 0, 1024);'",
        "UNWRITTEN_COPY, ''",
        "UNFOLLOWED_VALUE, ''",
    })
    void theWrongOneBreaksTheRuleAndTheRightOneDoesNot(
            Rule rule, String first, @TempDir Path folder) throws Exception {
        Explanation text = Explanation.of(rule);
        Programs.Ended wrong = run(folder, first, text.wrong().lines());
        assertThat(wrong.err()).contains("rule: " + rule.id() + ", PTX ISA " + rule.section());
        assertThat(wrong.code()).isEqualTo(rule.severity() == Severity.ERROR ? 1 : 0);
        Programs.Ended right = run(folder, first, text.right().lines());
        assertThat(right.err()).isEmpty();
        assertThat(right.code()).isZero();
    }

    /// @param lines of an example: calls of the host, or two kernels
    private static Programs.Ended run(Path folder, String first, String lines)
            throws IOException, InterruptedException {
        boolean areKernels = lines.contains("__global__");
        Path source =
                Files.writeString(
                        folder.resolve("example.cu"),
                        AROUND.replace("FIRST", first)
                                .replace("KERNELS", areKernels ? lines : "")
                                .replace("CALLS", areKernels ? EARLY : lines));
        Path program = Programs.nvcc(folder, source, "-arch=compute_90", "-code=compute_90");
        return Programs.run(program, List.of());
    }
}
