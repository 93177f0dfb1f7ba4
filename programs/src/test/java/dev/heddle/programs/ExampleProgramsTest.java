package dev.heddle.programs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.vm.Machine;
import dev.heddle.vm.launch.LaunchCheck;
import dev.heddle.vm.launch.LaunchResult;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

@DisplayName("Programs that nvcc builds run unmodified, and judge themselves")
final class ExampleProgramsTest {
    @ParameterizedTest
    @CsvSource({
        "vector-add.cu, static, true",
        "streams.cu, static, false",
        "graphs.cu, static, false",
        "graph-nodes.cu, static, false",
        "graph-nodes.cu, shared, false",
        "graph-conditions.cu, static, false",
        "textures.cu, static, false",
        "nested.cu, static, true",
        "errors.cu, shared, false",
        "stream-errors.cu, static, false",
        "batches.cu, static, false",
        "seldom.cu, static, false"
    })
    void passes(String source, String runtime, boolean linked, @TempDir Path folder)
            throws IOException, InterruptedException {
        Path program =
                Programs.nvcc(
                        folder,
                        Programs.example(source),
                        "-cudart",
                        runtime,
                        "-rdc=" + linked,
                        "-arch=compute_80",
                        "-code=compute_80");
        Programs.Ended ended = Programs.run(program, List.of());
        assertThat(ended.out()).isEqualTo("passed\n");
        assertThat(ended.err()).isEmpty();
        assertThat(ended.code()).isZero();
    }

    @Test
    void tensorMapsAndClustersOfHopper(@TempDir Path folder)
            throws IOException, InterruptedException {
        Path program =
                Programs.nvcc(
                        folder,
                        Programs.example("hopper.cu"),
                        "-std=c++17",
                        "-gencode",
                        "arch=compute_90a,code=compute_90a");
        Programs.Ended ended = Programs.run(program, List.of());
        assertThat(ended.out()).isEqualTo("passed\n");
        assertThat(ended.err().lines())
                .contains(
                        "heddle: tensor map: box 257 of axis 0: 1 to 256 elements",
                        "heddle: tensor map: its address 0x1000000004 is no multiple of 16",
                        "heddle: a grid of 11,1,1 in clusters of 4,1,1: every extent must be a"
                                + " multiple of the cluster's (PTX ISA 2.2.2)");
        assertThat(ended.code()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"driver.cpp", "driver-seldom.cpp", "graph-updates.cpp", "contexts.cpp"})
    void theDriverIsThereToo(String source, @TempDir Path folder)
            throws IOException, InterruptedException {
        Path library = Programs.library().folder();
        Path program =
                Programs.nvcc(folder, Programs.example(source), "-L" + library, "-lheddle-cuda");
        Programs.Ended ended = Programs.run(program, List.of());
        assertThat(ended.out()).isEqualTo("passed\n");
        assertThat(ended.err()).isEmpty();
        assertThat(ended.code()).isZero();
    }

    @Test
    void whatAnswersWhenTheDeviceHasFailed(@TempDir Path folder)
            throws IOException, InterruptedException {
        Path library = Programs.library().folder();
        Path program =
                Programs.nvcc(
                        folder,
                        Programs.example("failed.cu"),
                        "-arch=compute_80",
                        "-code=compute_80",
                        "-L" + library,
                        "-lheddle-cuda");
        Programs.Ended ended = Programs.run(program, List.of());
        assertThat(ended.out()).isEqualTo("passed\n");
        assertThat(ended.err()).containsOnlyOnce("undefined behavior: store of 4 bytes");
        assertThat(ended.code()).isEqualTo(1);
    }

    private static final String KERNELS =
            """
            __device__ int factor = 2;
            __global__ void scale(int *a) { a[threadIdx.x] *= factor; }
            extern "C" int scaled(int last) {
              int *a, three = 3, host[32];
              for (int i = 0; i < 32; i++) host[i] = i;
              host[31] = last;
              cudaMemcpyToSymbol(factor, &three, sizeof three);
              cudaMalloc(&a, sizeof host);
              cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
              scale<<<1, 32>>>(a);
              cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
              cudaFree(a);
              return cudaGetLastError() ? -1 : host[31];
            }
            """;

    // as CuPy's library that calls the runtime
    private static final String NO_KERNELS =
            """
            extern "C" int scaled(int last) {
              int devices;
              return cudaGetDeviceCount(&devices) ? -1 : 3 * last * devices;
            }
            """;

    static List<Arguments> libraries() {
        return List.of(
                Arguments.of(KERNELS, false),
                Arguments.of(KERNELS, true),
                Arguments.of(NO_KERNELS, false));
    }

    @ParameterizedTest
    @MethodSource("libraries")
    @DisplayName("a library with a static runtime, opened while the program runs, as Python does")
    void aLibraryOpenedLater(String code, boolean linked, @TempDir Path folder)
            throws IOException, InterruptedException {
        Path kernels = Files.writeString(folder.resolve("kernels.cu"), code);
        Path library =
                Programs.nvcc(
                        folder,
                        kernels,
                        "-shared",
                        "-rdc=" + linked,
                        "-Xcompiler",
                        "-fPIC",
                        "-arch=compute_80",
                        "-code=compute_80");
        Path opened = Files.move(library, folder.resolve("libkernels.so"));
        Path source =
                Files.writeString(
                        folder.resolve("opens.c"),
                        """
                        #include <dlfcn.h>
                        #include <stdio.h>
                        int main(int count, char **arguments) {
                          void *library = dlopen(arguments[1], RTLD_NOW);
                          int (*scaled)(int) = (int (*)(int))dlsym(library, "scaled");
                          printf("%d\\n", scaled(14));
                          printf("%d\\n", scaled(-5));
                        }
                        """);
        Path program = Programs.compiled("cc", folder, source, "-ldl");
        Programs.Ended ended = Programs.run(program, List.of("leaks=true"), opened.toString());
        assertThat(ended.err()).isEmpty();
        assertThat(ended.out()).isEqualTo("42\n-15\n");
        assertThat(ended.code()).isZero();
    }

    @Test
    void aRuntimeOpenedLaterIsOfTheVersionOfItsName(@TempDir Path folder)
            throws IOException, InterruptedException {
        Path source =
                Files.writeString(
                        folder.resolve("opens.c"),
                        """
                        #include <dlfcn.h>
                        #include <stdio.h>
                        int main() {
                          int version;
                          void *library = dlopen("libcudart.so.12", RTLD_NOW);
                          ((int (*)(int *))dlsym(library, "cudaRuntimeGetVersion"))(&version);
                          printf("%d\\n", version);
                        }
                        """);
        Path program = Programs.compiled("cc", folder, source, "-ldl");
        assertThat(Programs.run(program, List.of()).out()).isEqualTo("12090\n");
    }

    @Test
    @DisplayName("an undefined value that nobody uses, in kernels of one name of many modules")
    void kernelsOfOneNameAreToldApart(@TempDir Path folder)
            throws IOException, InterruptedException {
        Path source =
                Files.writeString(
                        folder.resolve("modules.cpp"),
                        """
                        #include <cuda.h>
                        #include <string>
                        std::string begin =
                            ".version 7.0\\n.target sm_80\\n.address_size 64\\n"
                            ".visible .entry k(.param .u64 p, .param .u32 q) {"
                            " .reg .b64 %rd<2>; .reg .b32 %r<5>; .reg .pred %p;"
                            " ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [q];",
                            first = " mov.b32 %r2, 0;",
                            end = " setp.ne.u32 %p, %r1, 0; @%p mov.b32 %r2, 7;"
                            " add.u32 %r3, %r2, %r1; @!%p mov.b32 %r3, 1;"
                            " st.global.u32 [%rd1], %r3; ret; }";
                        int main() {
                          CUdevice device;
                          CUcontext context;
                          CUdeviceptr at;
                          cuInit(0);
                          cuDeviceGet(&device, 0);
                          cuDevicePrimaryCtxRetain(&context, device);
                          cuCtxSetCurrent(context);
                          cuMemAlloc(&at, 1 << 20);
                          for (int i = 0; i < 8; i++) {
                            CUmodule module;
                            CUfunction kernel;
                            int none = 0;
                            void *arguments[] = {&at, &none};
                            cuModuleLoadData(&module, (begin + (i < 4 ? first : "") + end).c_str());
                            cuModuleGetFunction(&kernel, module, "k");
                            cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, 0, arguments, 0);
                          }
                          return cuCtxSynchronize();
                        }
                        """);
        Path library = Programs.library().folder();
        Path program = Programs.nvcc(folder, source, "-L" + library, "-lheddle-cuda");
        Programs.Ended ended = Programs.run(program, List.of("check=definedness"));
        assertThat(ended.err()).isEmpty();
        assertThat(ended.code()).isZero();
    }

    @Test
    void anErrorOfTheDriverIsNoLastErrorOfTheRuntime(@TempDir Path folder)
            throws IOException, InterruptedException {
        Path source =
                Files.writeString(
                        folder.resolve("errors.cu"),
                        """
                        #include <cuda.h>
                        #include <stdio.h>
                        int main() {
                          cudaFree(0);
                          void *driver;
                          cudaDriverEntryPointQueryResult found;
                          cudaGetDriverEntryPointByVersion(
                              "cuMemFree", &driver, 12000, cudaEnableDefault, &found);
                          CUresult result = ((CUresult (*)(CUdeviceptr))driver)(64);
                          printf("%d %d", result, cudaGetLastError());
                          cudaError_t error = cudaFree((void *)64);
                          printf(" %d %d\\n", error, cudaGetLastError());
                        }
                        """);
        Path program = Programs.nvcc(folder, source);
        Programs.Ended ended = Programs.run(program, List.of());
        assertThat(ended.out()).isEqualTo("1 0 1 1\n");
    }

    @Test
    void savedLaunchesRunAgainAndGiveTheSame(@TempDir Path folder)
            throws IOException, InterruptedException {
        Path source =
                Files.writeString(
                        folder.resolve("saved.cu"),
                        """
                        #include <cstdio>
                        struct Vectors { const float *a; int n; float *sum; };
                        __constant__ float scale;
                        __device__ int calls;
                        __global__ void add(Vectors v, const float *b) {
                          int i = blockIdx.x * blockDim.x + threadIdx.x;
                          if (i < v.n) v.sum[i] = scale * (v.a[i] + b[i]);
                          if (i == 0) printf("call %d\\n", ++calls);
                        }
                        int main() {
                          float host[100], three = 3, *p, *fresh;
                          for (int i = 0; i < 100; i++) host[i] = i;
                          cudaMalloc(&p, 300 * sizeof(float));
                          cudaMemcpy(p, host, sizeof host, cudaMemcpyHostToDevice);
                          cudaMemcpy(p + 100, host, sizeof host, cudaMemcpyHostToDevice);
                          cudaMemcpyToSymbol(scale, &three, sizeof three);
                          add<<<4, 32>>>({p, 100, p + 200}, p + 100);
                          add<<<4, 32>>>({p + 200, 100, p}, p + 100);
                          cudaMalloc(&fresh, 300 * sizeof(float)); // a part stays unwritten
                          add<<<4, 32>>>({p, 100, fresh}, p + 100);
                          return cudaDeviceSynchronize();
                        }
                        """);
        Path program = Programs.nvcc(folder, source, "-arch=compute_80", "-code=compute_80");
        Path saved = folder.resolve("saved");
        Programs.Ended ended = Programs.run(program, List.of("save-launches=" + saved));
        assertThat(ended.err()).isEmpty();
        assertThat(ended.out()).isEqualTo("call 1\ncall 2\ncall 3\n");
        for (int i = 1; i <= 3; i++) {
            Path file = saved.resolve("launch-" + i + ".json");
            assertThat(Files.readString(file)).contains("scale", "\"0\"", "call " + i);
            LaunchResult result =
                    LaunchCheck.read(file, saved.resolve("module1.ptx")).run(Machine.compiler());
            assertThat(result.complaints()).isEmpty();
        }
    }
}
