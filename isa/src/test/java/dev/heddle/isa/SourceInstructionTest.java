package dev.heddle.isa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

@DisplayName("Instructions as written in source")
final class SourceInstructionTest {
    @Test
    void anOpcodeAlone() {
        SourceInstruction bare = SourceInstruction.parse("  mma.sync ;\n");
        assertThat(bare.opcode()).isEqualTo("mma.sync");
        assertThat(bare.operands()).isEmpty();
    }

    @Test
    void linesPredicatesBracesAndConstants() {
        SourceInstruction read =
                SourceInstruction.parse(
                        """
                        @!%p1 mma.sp.sync
                          {%Rd0, %Rd1},{ 0f3F800000 },
                          %Re, 0x1F, -3, 0b101, 017, !%p, [%r1+4];
                        """);
        assertThat(read.predicate()).isEqualTo("@!%p1");
        List<SourceOperand> operands = read.operands().orElseThrow();
        assertThat(operands)
                .hasToString("[{%Rd0, %Rd1}, {0f3F800000}, %Re, 31, -3, 5, 15, !%p, [%r1+4]]");
        assertThat(operands.get(1))
                .isEqualTo(
                        new SourceOperand.Vector(
                                List.of(new SourceOperand.FloatConstant("0f3F800000"))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    ``                    | column 1: found the end, expected an opcode such as mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
                    {%r0}                 | column 1: found "{%r0}", expected an opcode such as mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
                    mma.x {               | column 8: found the end, expected '}'
                    mma.x {%r0,{%r1}}     | column 12: found "{%r1}}", expected a register; vectors do not nest
                    mma.x {%r0 %r1}       | column 12: found "%r1}", expected ',' or '}'
                    mma.x %r0,            | column 11: found the end, expected an operand
                    mma.x %r0,,%r1        | column 11: found ",%r1", expected a register, a constant or a vector in braces
                    mma.x [%r1            | column 7: found "[%r1", expected ']'
                    mma.x %r0 %r1         | column 11: found "%r1", expected the end of the instruction
                    mma.x %r0; mma.y      | column 12: found "mma.y", expected the end of the instruction
                    """)
    void badInputIsRefusedWithItsColumn(String text, String message) {
        assertThatThrownBy(() -> SourceInstruction.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void anEndlessInstructionIsRefused() {
        assertThatThrownBy(() -> SourceInstruction.parse("mma".repeat(50_000)))
                .hasMessage("an instruction of 150000 characters: expected at most 100000");
    }
}
