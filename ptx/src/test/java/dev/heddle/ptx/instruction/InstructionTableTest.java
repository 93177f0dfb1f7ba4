package dev.heddle.ptx.instruction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.ptx.Ptx;
import dev.heddle.ptx.check.BoundModule;
import dev.heddle.ptx.instruction.InstructionKind.Memory;
import dev.heddle.ptx.instruction.InstructionKind.Proxy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

@DisplayName("PTX ISA 9.7: the table of instructions")
final class InstructionTableTest {
    private static BoundInstruction bound(String instruction) {
        String text =
                """
                .version 9.0
                .target sm_90a
                .address_size 64
                .visible .entry k(.param .u64 out) {
                .reg .b64 %%rd<9>; .reg .b32 %%r<9>; .reg .f32 %%f<9>; .reg .pred %%p<9>;
                .shared .align 16 .b8 tile[256];
                %s
                ret;
                }
                """
                        .formatted(instruction);
        BoundModule module = BoundModule.of(Ptx.parse(text, "k.ptx"));
        List<BoundInstruction> all = module.instructions(module.module().functions().getFirst());
        assertThat(all).hasSize(2);
        return all.getFirst();
    }

    @Test
    void bindingSaysWhatEachWordAndOperandIs() {
        BoundInstruction load = bound("@%p1 ld.global.v2.f32 {%f1, %f2}, [%rd1+8];");
        assertThat(load.kind()).isEqualTo(InstructionKind.LOAD);
        assertThat(load.section()).isEqualTo("9.7.9.8");
        assertThat(load.word("ss")).isEqualTo("global");
        assertThat(load.word("vec")).isEqualTo("v2");
        assertThat(load.word("cop")).isNull();
        assertThat(load.type().keyword()).isEqualTo("f32");
        assertThat(load.written()).containsExactly(load.operand(0));
        assertThat(load.read()).containsExactly(load.operand(1));
    }

    /// The words of the sections named: what each does to memory, and through which proxy.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    st.shared.u32 [tile], %r1; | WRITES | GENERIC | 0 | false
                    atom.global.add.u32 %r1, [%rd1], %r2; | UPDATES | GENERIC | 1 | false
                    red.global.add.u32 [%rd1], %r2; | UPDATES | GENERIC | 0 | false
                    cp.async.ca.shared.global [tile], [%rd1], 16; | COPIES | GENERIC | 0 | false
                    cp.async.bulk.global.shared::cta.bulk_group [%rd1], [tile], 16; | COPIES | ASYNC | 0 | false
                    bar.sync 0; | NONE | GENERIC | 0 | true
                    barrier.sync 0; | NONE | GENERIC | 0 | false
                    barrier.sync.aligned 0; | NONE | GENERIC | 0 | true
                    bar.red.popc.u32 %r1, 0, %p1; | NONE | GENERIC | 1 | true
                    ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1, %r2}, [tile]; | READS | GENERIC | 1 | true
                    stmatrix.sync.aligned.m8n8.x2.shared.b16 [tile], {%r1, %r2}; | WRITES | GENERIC | 0 | true
                    mbarrier.arrive.shared.b64 %rd1, [tile]; | UPDATES | GENERIC | 1 | false
                    'setp.eq.u32 %p1|%p2, %r1, %r2;' | NONE | GENERIC | 1 | false
                    nanosleep.u32 5; | NONE | GENERIC | 0 | false
                    """)
    void factsOfInstructions(
            String text, Memory memory, Proxy proxy, int written, boolean aligned) {
        BoundInstruction instruction = bound(text);
        assertThat(instruction.kind().memory()).isEqualTo(memory);
        assertThat(instruction.kind().proxy()).isEqualTo(proxy);
        assertThat(instruction.written()).hasSize(written);
        assertThat(instruction.isAligned()).isEqualTo(aligned);
    }

    @Test
    void everyKindHasALine() {
        Set<InstructionKind> kinds = EnumSet.noneOf(InstructionKind.class);
        InstructionTable.all().forEach(form -> kinds.add(form.kind()));
        FormReader.read(InstructionTable.OPEN_FORMS).forEach(form -> kinds.add(form.kind()));
        assertThat(kinds).containsExactlyInAnyOrder(InstructionKind.values());
    }

    @ParameterizedTest
    @ValueSource(strings = {"check", "coverage"})
    void documentsHaveTheNumberOfLines(String document) throws IOException {
        assertThat(Files.readString(Path.of("../docs/" + document + ".md")))
                .contains(InstructionTable.count() + " syntax lines");
    }

    @Test
    @DisplayName("PTX ISA 9.7.18: parts that a selector names")
    void selectors() {
        assertThat(Selector.PART.accepts("h1")).isTrue();
        assertThat(Selector.PART.accepts("h2")).isFalse();
        assertThat(Selector.HALVES.accepts("h03")).isTrue();
        assertThat(Selector.HALVES.accepts("h4")).isFalse();
        assertThat(Selector.BYTES.accepts("b7654")).isTrue();
        assertThat(Selector.BYTES.accepts("b8000")).isFalse();
        assertThat(Selector.BYTEMASK.accepts("b310")).isTrue();
        assertThat(Selector.BYTEMASK.accepts("b13")).isFalse();
        assertThat(Selector.parts("b7610", "3210")).containsExactly(0, 1, 6, 7);
        assertThat(Selector.parts(null, "10")).containsExactly(0, 1);
    }
}
