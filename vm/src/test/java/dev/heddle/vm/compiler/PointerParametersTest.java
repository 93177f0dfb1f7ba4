package dev.heddle.vm.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.vm.Kernel;
import dev.heddle.vm.ir.Code;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Set;

@DisplayName("The parameters that addresses are made of")
final class PointerParametersTest {
    private static final String KERNEL =
            """
            .version 8.3
            .target sm_90
            .address_size 64
            .visible .entry k(.param .u32 n, .param .u64 a, .param .align 16 .b8 two[16]) {
            .reg .pred %p; .reg .b32 %r<8>; .reg .b64 %rd<12>;
            ld.param.u32 %r1, [n];
            ld.param.u64 %rd1, [a];
            ld.param.v2.u64 {%rd2, %rd3}, [two];
            cvta.to.global.u64 %rd4, %rd1;
            mov.u32 %r2, %tid.x;
            mad.wide.u32 %rd5, %r2, 4, %rd4;
            LOOP:
            ld.global.u32 %r3, [%rd5];
            add.s64 %rd5, %rd5, 128;
            sub.u32 %r1, %r1, 1;
            setp.ne.u32 %p, %r1, 0;
            @%p bra LOOP;
            st.global.u32 [%rd3+4], %r3;
            ld.global.u64 %rd6, [%rd2];
            st.global.u32 [%rd6], %r3;
            ret;
            }
            """;

    @Test
    void areFoundThroughLoopsVectorsAndConversionsButNotThroughMemory() {
        Code code = Kernel.of(KERNEL, "k.ptx", "k").code();
        PointerParameters pointers = new PointerParameters(code);
        List<Set<Integer>> found =
                code.blocks().stream()
                        .flatMap(block -> block.steps().stream())
                        .map(MemoryEmitter::plain)
                        .filter(plain -> plain != null && plain.global())
                        .map(plain -> pointers.of(plain.base()))
                        .toList();
        assertThat(found).containsExactly(Set.of(8), Set.of(24), Set.of(16), Set.of());
    }
}
