package dev.heddle.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Objects;

@DisplayName("CUDA driver API, where there is no driver or an old one")
final class DriverAbsentTest {
    @Test
    void theMessageNamesTheLibraryAndSaysWhatStillWorks() {
        assertThatThrownBy(() -> Driver.load("libnodriverhere.so.1"))
                .isInstanceOf(DriverUnavailableException.class)
                .hasMessageStartingWith(
                        "no NVIDIA driver here: the library libnodriverhere.so.1 cannot be opened.")
                .hasMessageContaining("Everything but the GPU works without it");
    }

    @Test
    void aDriverThatLacksAFunctionIsCalledTooOld(@TempDir Path folder) {
        FakeDriver fake = FakeDriver.build(folder, "-DWITHOUT_TENSOR_MAPS");
        assertThatThrownBy(fake::load)
                .isInstanceOf(DriverUnavailableException.class)
                .hasMessageContaining("has no function cuTensorMapEncodeTiled")
                .hasMessageContaining("CUDA 12.0 or newer");
    }

    @Test
    void signaturesAreThoseOfTheDriversHeader() {
        assertThat(signature("cuInit")).isEqualTo("(int)");
        assertThat(signature("cuMemAlloc_v2")).isEqualTo("(pointer,long)");
        assertThat(signature("cuMemcpyDtoHAsync_v2")).isEqualTo("(pointer,long,long,pointer)");
        assertThat(signature("cuMemsetD8Async")).isEqualTo("(long,byte,long,pointer)");
        assertThat(signature("cuLaunchKernel"))
                .isEqualTo("(pointer,int,int,int,int,int,int,int,pointer,pointer,pointer)");
        assertThat(signature("cuTensorMapEncodeTiled"))
                .isEqualTo(
                        "(pointer,int,int,long,pointer,pointer,pointer,pointer,int,int,int,int)");
        assertThat(signature("cuCtxSynchronize")).isEqualTo("()");
    }

    private static String signature(String function) {
        FunctionDescriptor descriptor =
                Objects.requireNonNull(DriverApi.signatures().get(function), function);
        assertThat(descriptor.returnLayout()).hasValue(ValueLayout.JAVA_INT);
        return descriptor.argumentLayouts().stream()
                .map(
                        layout ->
                                layout.equals(ValueLayout.ADDRESS)
                                        ? "pointer"
                                        : ((ValueLayout) layout).carrier().getName())
                .toList()
                .toString()
                .replace("[", "(")
                .replace("]", ")")
                .replace(" ", "");
    }
}
