package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("PTX ISA 5.5.8: the memory that a tensor map is in")
final class TensorMapSpaceTest {
    private static final String LOAD =
            """
            cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
                [tile], [%rd2, {%r1}], [object];
            """;
    private static final String PREFETCH =
            "cp.async.bulk.prefetch.tensor.1d.L2.global.tile [%rd2, {%r1}];";

    private static String kernel(String space, String copy) {
        return """
        .version 8.6
        .target sm_90
        .address_size 64
        .global .align 64 .b8 global[128]; .const .align 64 .b8 const[128];
        .visible .entry k() {
        .reg .b64 %rd<4>; .reg .b32 %r<4>;
        .local .align 64 .b8 local[128];
        .shared .align 128 .b8 shared[128];
        .shared .align 128 .b8 tile[128]; .shared .align 8 .b64 object;
        mbarrier.init.shared.b64 [object], 1;
        mov.u64 %rd1, SPACE; cvta.SPACE.u64 %rd2, %rd1; mov.u32 %r1, 0;
        COPY
        ret;
        }
        """
                .replace("COPY", copy)
                .replace("SPACE", space);
    }

    @ParameterizedTest
    @ValueSource(strings = {"global", "const"})
    void ofAPrefetchIsAnyOther(String space) {
        String text = kernel(space, PREFETCH);
        for (Machine machine : new Machine[] {Machine.interpreter(), Machine.compiler()}) {
            assertThat(
                            machine.run(
                                            Kernel.of(text, "k.ptx", "k"),
                                            Launch.grid(1).block(1).passing())
                                    .findings())
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"local", "shared"})
    void isNeitherLocalNorShared(String space) {
        tells(space, LOAD);
        tells(space, PREFETCH);
    }

    private static void tells(String space, String copy) {
        String text = kernel(space, copy);
        for (Machine machine : new Machine[] {Machine.interpreter(), Machine.compiler()}) {
            assertThat(
                            machine.run(
                                            Kernel.of(text, "k.ptx", "k"),
                                            Launch.grid(1).block(1).passing())
                                    .findings())
                    .singleElement()
                    .satisfies(
                            finding -> {
                                assertThat(finding.rule()).isEqualTo(Rule.INVALID_TENSOR_MAP);
                                assertThat(finding.section()).isEqualTo("5.5.8");
                                assertThat(finding.message()).contains(space + " memory");
                            });
        }
    }
}
