package dev.heddle.programs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

@DisplayName("Programs that are wrong or refused: what is said of them, and how they end")
final class StoppedProgramsTest {
    @Test
    void machineCodeAloneIsRefusedWithAWord(@TempDir Path folder)
            throws IOException, InterruptedException {
        Path source =
                Files.writeString(
                        folder.resolve("alone.cu"),
                        """
                        #include <cstdio>
                        __global__ void nothing() {}
                        int main() {
                          nothing<<<1, 32>>>();
                          puts(cudaGetErrorName(cudaGetLastError()));
                        }
                        """);
        Path program = Programs.nvcc(folder, source, "-gencode", "arch=compute_80,code=sm_80");
        Programs.Ended ended = Programs.run(program, List.of());
        assertThat(ended.err())
                .isEqualTo(
                        "heddle: the program holds machine code (SASS) only, no PTX: build it with"
                                + " -gencode arch=compute_80,code=compute_80\n");
        assertThat(ended.out()).isEqualTo("cudaErrorNoKernelImageForDevice\n");
    }

    @Test
    void aStrippedStaticRuntimeIsRefusedWithAWord(@TempDir Path folder)
            throws IOException, InterruptedException {
        Path program =
                Programs.nvcc(
                        folder,
                        Programs.example("vector-add.cu"),
                        "-arch=compute_80",
                        "-code=compute_80",
                        "-Xlinker",
                        "--strip-all");
        Programs.Ended ended = Programs.run(program, List.of());
        assertThat(ended.err())
                .containsOnlyOnce("do not strip the program, or link it with -cudart shared");
        assertThat(ended.code()).isEqualTo(1);
    }

    @Test
    void aFindingNamesTheLaunchAndEndsInTheReport(@TempDir Path folder)
            throws IOException, InterruptedException {
        Path source =
                Files.writeString(
                        folder.resolve("outside.cu"),
                        """
                        #include <cstdio>
                        __global__ void store(int *a) { a[threadIdx.x + 1] = 1; }
                        int main() {
                          int *a, *b;
                          cudaMalloc(&a, 128);
                          cudaMalloc(&b, 64);
                          store<<<1, 32>>>(a);
                          printf("%s\\n", cudaGetErrorName(cudaDeviceSynchronize()));
                          printf("%s\\n", cudaGetErrorName(cudaFree(a)));
                        }
                        """);
        Path program = Programs.nvcc(folder, source, "-g", "-lineinfo");
        Path report = folder.resolve("report.json");
        Programs.Ended ended = Programs.run(program, List.of("report=" + report, "leaks=true"));
        assertThat(ended.out()).isEqualTo("cudaErrorIllegalAddress\n".repeat(2));
        assertThat(ended.err())
                .contains("launched by main at", "outside.cu:7")
                .contains("right behind the end of cudaMalloc #1 (128 bytes")
                .contains("leak: cudaMalloc #2, 64 bytes")
                .doesNotContain("leak: cudaMalloc #1");
        assertThat(ended.code()).isEqualTo(1);
        assertThat(Files.readString(report))
                .contains("\"kernel\":\"_Z5storePi\"", "\"rule\":\"out-of-bounds\"");
    }

    @Test
    void aFindingNamesALaunchByAFunctionThatTheProgramAskedFor(@TempDir Path folder)
            throws IOException, InterruptedException {
        Path source =
                Files.writeString(
                        folder.resolve("asked.cu"),
                        """
                        #include <cuda.h>
                        __global__ void store(int *a) { a[threadIdx.x + 1] = 1; }
                        int main() {
                          int *a;
                          CUfunction kernel;
                          void *asked, *launch;
                          cudaDriverEntryPointQueryResult found;
                          cudaMalloc(&a, 128);
                          cudaGetFuncBySymbol(&kernel, (void *)store);
                          void *arguments[] = {&a};
                          cudaGetDriverEntryPointByVersion(
                              "cuGetProcAddress", &asked, 12000, cudaEnableDefault, &found);
                          ((decltype(&cuGetProcAddress))asked)(
                              "cuLaunchKernel", &launch, 12000, 0, nullptr);
                          ((decltype(&cuLaunchKernel))launch)(
                              kernel, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr);
                          return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 5 : 6;
                        }
                        """);
        Path program = Programs.nvcc(folder, source, "-g");
        Programs.Ended ended = Programs.run(program, List.of());
        assertThat(ended.err()).containsPattern("launched by main at [^ ]*asked.cu:15\n");
        assertThat(ended.code()).isEqualTo(5);
    }

    @ParameterizedTest
    @DisplayName("a refused call whose error the program never asks for")
    @CsvSource(
            delimiter = '|',
            value = {
                "threads | 1 | cudaLaunchKernel by main at ",
                "bounds  | 1 | cudaLaunchKernel by main at ",
                "free    | 0 | cudaFree by main at ",
                "asked   | 0 | ''",
                "fails   | 3 | ''"
            })
    void aRefusedCall(String what, int code, String said, @TempDir Path folder)
            throws IOException, InterruptedException {
        Path source =
                Files.writeString(
                        folder.resolve("refused.cu"),
                        """
                        #include <cstring>
                        __global__ void __launch_bounds__(128) store(int *a) { a[threadIdx.x] = 1; }
                        int main(int count, char **words) {
                          int *a;
                          cudaMalloc(&a, 4096);
                          if (strcmp(words[1], "bounds") == 0) store<<<1, 256>>>(a);
                          else if (strcmp(words[1], "free") == 0) cudaFree(&count);
                          else store<<<1, 2048>>>(a);
                          cudaDeviceSynchronize();
                          if (strcmp(words[1], "asked") == 0) return cudaGetLastError() == 0;
                          return strcmp(words[1], "fails") == 0 ? 3 : 0;
                        }
                        """);
        Path program = Programs.nvcc(folder, source, "-g");
        Programs.Ended ended = Programs.run(program, List.of(), what);
        assertThat(ended.code()).isEqualTo(code);
        if (said.isEmpty()) {
            assertThat(ended.err()).doesNotContain("refused");
        } else {
            assertThat(ended.err()).contains("heddle: " + said, "did not ask for the error");
        }
    }

    @Test
    @DisplayName("a launch of a kernel whose PTX is refused, and the program does not ask")
    void aKernelThatIsNoPtx(@TempDir Path folder) throws IOException, InterruptedException {
        Path source =
                Files.writeString(
                        folder.resolve("invalid.cu"),
                        """
                        __global__ void start() { asm volatile("griddepcontrol.wait;"); }
                        int main() {
                          start<<<1, 1>>>();
                          cudaDeviceSynchronize();
                        }
                        """);
        Path program = Programs.nvcc(folder, source, "-arch=compute_80", "-code=compute_80");
        Programs.Ended ended = Programs.run(program, List.of());
        assertThat(ended.err()).contains("griddepcontrol", "cudaErrorInvalidPtx");
        assertThat(ended.code()).isEqualTo(1);
    }

    @Test
    @DisplayName(
            "thread-local variables of a program, which lie on the stacks of the JVM's threads")
    void aFindingInAProgramOfManyThreadLocalVariables(@TempDir Path folder)
            throws IOException, InterruptedException {
        Path source =
                Files.writeString(
                        folder.resolve("local.cu"),
                        """
                        thread_local volatile char local[2 << 20];
                        __global__ void store(int *a) { a[threadIdx.x + 1] = 1; }
                        int main() {
                          int *a;
                          local[0] = 1;
                          cudaMalloc(&a, 128);
                          store<<<1, 32>>>(a);
                          return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 5 : 6;
                        }
                        """);
        Path program = Programs.nvcc(folder, source, "-g");
        Programs.Ended ended = Programs.run(program, List.of());
        assertThat(ended.err()).contains("launched by main at", "local.cu:7");
        assertThat(ended.code()).isEqualTo(5);
    }
}
