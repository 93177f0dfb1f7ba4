package dev.heddle.isa;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.List;

@DisplayName("The manual's notation")
final class NotationTest {
    @Test
    void aNameStandsForItsList() {
        Syntax line =
                Syntax.read(
                                "9.7.14.5.14",
                                """
                                mma.sync.aligned.shape.row.col{.satfinite}.s32.atype.s8.s32  d, a, b, c;  [7.0 sm_80]
                                .shape = {.m16n8k16, .m16n8k32};
                                .atype = {.u8, .s8};
                                """)
                        .getFirst();
        assertThat(line.family()).isEqualTo(Family.MMA);
        assertThat(line.allowed(Qualifier.SHAPE)).containsExactly("m16n8k16", "m16n8k32");
        assertThat(line.allowed(Qualifier.SATFINITE)).containsExactly("", "satfinite");
        assertThat(line.allowed(Qualifier.ATYPE)).containsExactly("u8", "s8");
        assertThat(line.allowed(Qualifier.CTYPE)).containsExactly("s32");
        assertThat(line.allowed(Qualifier.KIND)).containsExactly("");
        assertThat(line.operands()).containsExactly("d", "a", "b", "c");
        assertThat(line.requirement()).hasToString("PTX ISA 7.0, sm_80 or higher");
        assertThat(line.forms()).hasSize(8);
    }

    @Test
    void listsCountOnAndTuplesAreTakenApart() {
        Syntax line =
                Syntax.read(
                                "9.7.15.5.2",
                                """
                                wgmma.mma_async.sync.aligned.shape.f32.f16.f16  d, {x, y};  [8.0 =sm_90a]
                                .shape = {.m64nNk16};
                                N = {8, 16, 24, 32, 48 .. 96}
                                """)
                        .getFirst();
        assertThat(line.allowed(Qualifier.SHAPE))
                .containsExactly(
                        "m64n8k16",
                        "m64n16k16",
                        "m64n24k16",
                        "m64n32k16",
                        "m64n48k16",
                        "m64n64k16",
                        "m64n80k16",
                        "m64n96k16");
        assertThat(line.operands()).containsExactly("d", "x", "y");
    }

    @Test
    void aVariantIsALineOfItsOwnNoOlderThanItsInstruction() {
        List<Syntax> lines =
                Syntax.read(
                        "9.7.14.6.3",
                        """
                        mma.spvariant.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32  d, a, b, c, e, f;  [7.1 sm_80]
                        .spvariant = {.sp, .sp::ordered_metadata};
                        """);
        assertThat(lines)
                .extracting(line -> line.family() + " " + line.requirement().version())
                .containsExactly("mma.sp 7.1", "mma.sp::ordered_metadata 8.5");
    }

    @Test
    void blocksDoNotShareTheirLists() {
        List<Syntax> lines =
                Syntax.read(
                        "9.7.14.5.14",
                        """
                        mma.sync.aligned.shape.row.col.f32.f16.f16.f32  d, a, b, c;  [7.0 sm_80]
                        .shape = {.m16n8k8};

                        mma.sync.aligned.shape.row.col.f32.f16.f16.f32  d, a, b, c;  [7.0 sm_80]
                        .shape = {.m16n8k16};
                        """);
        assertThat(lines.get(0).allowed(Qualifier.SHAPE)).containsExactly("m16n8k8");
        assertThat(lines.get(1).allowed(Qualifier.SHAPE)).containsExactly("m16n8k16");
    }

    @Test
    void noOpcodeStandsInTwoLines() {
        assertThat(Forms.all()).extracting(Form::toString).doesNotHaveDuplicates();
    }
}
