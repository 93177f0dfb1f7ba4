package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.util.List;

/// What a launch may call a kernel.
final class NamedSymbolsTest {
    @Test
    void aKernelIsNamedInAnyOfThreeWays() {
        List<String> symbols =
                List.of("_Z4gemmIfEvPT_i", "_Z4gemmIdEvPT_i", "_ZN3cub5Empty4kernEv");
        for (String asked :
                List.of(
                        "_Z4gemmIfEvPT_i",
                        "void gemm<float>(float*, int)",
                        "gemm<float>",
                        "gemm< float >",
                        "mmIfE")) {
            assertThat(NamedSymbols.find("kernel", asked, symbols)).isEqualTo("_Z4gemmIfEvPT_i");
        }
        assertThat(NamedSymbols.find("kernel", "Empty", symbols)).isEqualTo("_ZN3cub5Empty4kernEv");
        assertThatThrownBy(() -> NamedSymbols.find("kernel", "gemm", symbols))
                .hasMessage(
                        "kernel gemm: 2 of the module are meant: gemm<float>(float*, int),"
                                + " gemm<double>(double*, int)");
        assertThatThrownBy(() -> NamedSymbols.find("kernel", "conv", symbols))
                .hasMessageStartingWith(
                        "no kernel conv; this module has gemm<float>(float*, int), ");
    }
}
