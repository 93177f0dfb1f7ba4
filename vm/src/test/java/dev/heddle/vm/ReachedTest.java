package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.ptx.Ptx;
import dev.heddle.ptx.check.BoundModule;
import dev.heddle.vm.ir.Code;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

@DisplayName("Only what a kernel reaches is lowered")
final class ReachedTest {
    private static final String MODULE =
            """
            .version 8.0
            .target sm_80
            .address_size 64
            .func leaf() { ret; }
            .func middle() { call leaf; ret; }
            .func lonely() { ret; }
            .func named() { ret; }
            .global .align 8 .u64 table[1] = { INITIAL };
            .visible .entry plain() { ret; }
            .visible .entry calls() { call middle; ret; }
            .visible .entry takes() { .reg .b64 %rd<2>; mov.u64 %rd1, lonely; ret; }
            .visible .entry anywhere() {
              .reg .b64 %rd<2>;
              ld.global.u64 %rd1, [table];
              P: .callprototype _ ();
              call %rd1, (), P;
              ret;
            }
            """;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    0     | plain          | plain
                    0     | calls          | leaf middle calls
                    0     | takes          | lonely takes
                    0     | plain takes    | lonely plain takes
                    0     | anywhere       | leaf middle lonely named anywhere
                    named | plain          | named plain
                    """)
    void theRestIsOnlyDeclared(String initial, String entries, String reached) {
        BoundModule module = BoundModule.of(Ptx.parse(MODULE.replace("INITIAL", initial), "m.ptx"));
        List<Kernel> kernels = Kernel.of(module, List.of(entries.split(" ")));
        List<Code> codes = kernels.getFirst().program().codes();
        assertThat(codes).hasSize(8);
        assertThat(codes.stream().filter(Code::isLowered).map(Code::name))
                .containsExactly(reached.split(" "));
        for (Kernel kernel : kernels) {
            assertThat(kernel.program()).isSameAs(kernels.getFirst().program());
        }
    }
}
