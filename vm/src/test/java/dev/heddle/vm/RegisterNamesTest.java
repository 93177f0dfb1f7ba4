package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("PTX ISA 4.4: identifiers may begin with a dollar sign")
final class RegisterNamesTest {

    @Test
    @DisplayName("an assignment to $a is kept, and a copy of it is a copy")
    void keepsAssignments() {
        TinyKernel kernel =
                TinyKernel.of(
                        """
                        .reg .u32 $a;
                        add.s32 $a, %r1, 2;
                        mov.u32 %r2, $a;
                        mul.wide.u32 %rd2, %r1, 8;
                        add.u64 %rd2, %rd1, %rd2;
                        st.global.u32 [%rd2], $a;
                        st.global.u32 [%rd2+4], %r2;
                        """);
        assertThat(kernel.run(2, 0, 0, 0, 0)).containsExactly(2, 2, 3, 3);
    }

    @Test
    @DisplayName("mov.v2 reads $a before it writes it")
    void readsBeforeItWrites() {
        TinyKernel kernel =
                TinyKernel.of(
                        """
                        .reg .b32 $a, $b;
                        mov.u32 $a, 1;
                        mov.u32 $b, 2;
                        mov.v2.b32 {$a, $b}, {$b, $a};
                        st.global.v2.u32 [%rd1], {$a, $b};
                        """);
        assertThat(kernel.run(1, 0, 0)).containsExactly(2, 1);
    }

    @Test
    @DisplayName("a read of $a before any write is found by its name")
    void namesTheRegister() {
        TinyKernel kernel = TinyKernel.of(".reg .u32 $a;\n st.global.u32 [%rd1], $a;");
        assertThat(kernel.finding(1, 4).message())
                .isEqualTo("st.global.u32 reads $a, which lane 0 never wrote");
    }
}
