package dev.heddle.programs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

@DisplayName("CUjit_option: what the driver tells of modules that it compiles and links")
final class CompilationLogTest {
    @TempDir private Path folder;

    /// Runs a main function that has `good`, `bad` and the options of logs at hand.
    private Programs.Ended run(String body) throws IOException, InterruptedException {
        Path source =
                Files.writeString(
                        folder.resolve("logs.cpp"),
                        """
                        #include <cuda.h>
                        #include <stdio.h>
                        #include <string.h>
                        #define MODULE(line) ".version 8.0\\n.target sm_80\\n.address_size 64\\n" \\
                            ".visible .entry k() {\\n.reg .b32 %r<3>;\\n" line "\\nret;\\n}\\n"
                        static const char *good = MODULE("mov.u32 %r1, 1;");
                        static const char *bad = MODULE("twist.u32 %r1, 1;");
                        static const char *worse = MODULE("mov.u32 %r9, 1;");
                        static char info[64] = "old", error[600] = "old";
                        static CUjit_option options[] = {
                            CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
                            CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
                        static void *values[] = {info, (void *)sizeof info, error, (void *)sizeof error};
                        int main() {
                          CUmodule module;
                          CUcontext context;
                          cuInit(0);
                          cuCtxCreate(&context, NULL, 0, 0);
                        """
                                + body
                                + "}\n");
        Path library = Programs.library().folder();
        return Programs.run(
                Programs.nvcc(folder, source, "-L" + library, "-lheddle-cuda"), List.of());
    }

    @Test
    void aModuleThatDoesNotCompileSaysWhy() throws IOException, InterruptedException {
        Programs.Ended ended =
                run(
                        """
                        int code = cuModuleLoadDataEx(&module, bad, 4, options, values);
                        printf("%d %d %d\\n", code, (int)(long)values[1],
                            (long)values[3] == (long)strlen(error));
                        printf("%s%s", info, error);
                        """);
        assertThat(ended.out())
                .startsWith("218 0 1\nmodule1.ptx:6:1: invalid: 'twist' is no PTX instruction\n");
        assertThat(ended.err())
                .isEqualTo("heddle: module1.ptx:6:1: 'twist' is no PTX instruction\n");
    }

    @Test
    void aLogEndsWhereItsBufferDoes() throws IOException, InterruptedException {
        Programs.Ended ended =
                run(
                        """
                        values[3] = (void *)12;
                        memset(error, 'x', sizeof error);
                        int code = cuModuleLoadDataEx(&module, bad, 4, options, values);
                        printf("%d %d %s %c\\n", code, (int)(long)values[3], error, error[12]);
                        """);
        assertThat(ended.out()).isEqualTo("218 12 module1.ptx x\n");
    }

    @Test
    void aModuleThatCompilesHasEmptyLogs() throws IOException, InterruptedException {
        Programs.Ended ended =
                run(
                        """
                        int code = cuModuleLoadDataEx(&module, good, 4, options, values);
                        printf("%d %d %d [%s] [%s]\\n", code, (int)(long)values[1],
                            (int)(long)values[3], info, error);
                        """);
        assertThat(ended.out()).isEqualTo("0 0 0 [] []\n");
        assertThat(ended.err()).isEmpty();
    }

    @Test
    void theLogOfALinkerGrows() throws IOException, InterruptedException {
        Programs.Ended ended =
                run(
                        """
                        CUlinkState state;
                        const char *texts[] = {bad, good, worse};
                        const char *names[] = {"bad.ptx", "good.ptx", "worse.ptx"};
                        printf("%d", cuLinkCreate(4, options, values, &state));
                        for (int i = 0; i < 3; i++)
                          printf(" %d", cuLinkAddData(state, CU_JIT_INPUT_PTX, (void *)texts[i],
                              strlen(texts[i]) + 1, names[i], 0, nullptr, nullptr));
                        printf("\\n%s", error);
                        """);
        assertThat(ended.out())
                .startsWith("0 218 0 218\nbad.ptx:6:1: invalid: 'twist' is no PTX instruction\n")
                .contains("\nworse.ptx:6:9: invalid: register %r9 is not declared")
                .doesNotContain("good.ptx");
    }
}
