package dev.heddle.isa;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What typical mistakes are told: every broken rule, and for an opcode the nearest legal one.
@DisplayName("Messages of instructions that are not legal")
final class LegalityMessagesTest {
    private static final String GOLDEN =
            """
            mma.sync.aligned.m16n8k12.row.col.f32.f16.f16.f32
                invalid: no form of the instruction has this combination: found shape .m16n8k12; allowed: shape .m8n8k4, .m16n8k8, .m16n8k16 [no-such-form, PTX ISA 9.7.14.5.14]
                nearest: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
            mma.sync.aligned.m16n8k16.row.row.f32.f16.f16.f32
                invalid: no form of the instruction has this combination: found shape .m16n8k16, .blayout .row; allowed: shape .m8n8k4; or .blayout .col [no-such-form, PTX ISA 9.7.14.5.14]
                nearest: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
            mma.sync.aligned.m16n8k16.row.col.f32.f16.bf16.f32
                invalid: no form of the instruction has this combination: found .btype .bf16, .atype .f16; allowed: .btype .f16; or .atype .bf16 [no-such-form, PTX ISA 9.7.14.5.14]
                nearest: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
            mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f32
                invalid: .dtype must be the same as .ctype for this shape: found .dtype .f16 with .ctype .f32; allowed: .f16 twice or .f32 twice [accumulator-types-differ, PTX ISA 9.7.14.5.14]
                nearest: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
            mma.sync.aligned.m16n8k16.row.col.f32.fp16.f16.f32
                invalid: unknown qualifier: found .fp16; allowed: .f16, if that is meant [unknown-qualifier, PTX ISA 9.7.14.5.14]
                nearest: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
            mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32.relu
                invalid: unknown qualifier: found .relu; allowed: a shape, a layout, a type or a modifier of the instruction [unknown-qualifier, PTX ISA 9.7.14.5.14]
                nearest: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
            mma.sync.m16n8k16.row.col.f32.f16.f16.f32
                invalid: mandatory qualifier missing: found no .aligned; allowed: an opcode with .aligned [missing-qualifier, PTX ISA 9.7.14.5.14]
                nearest: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
            mma.sync.aligned.m16n8k16.f32.f16.f16.f32
                invalid: no form of the instruction has this combination: found no .alayout, no .blayout; allowed: .alayout .row and .blayout .col [no-such-form, PTX ISA 9.7.14.5.14]
                nearest: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
            mma.sync.aligned.m16n8k16.row.col.row.f32.f16.f16.f32
                invalid: qualifier written twice: found .row; allowed: one qualifier of its kind [repeated-qualifier, PTX ISA 9.7.14.5.14]
                nearest: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
            mma.sync.aligned.m16n8k16.row.col.satfinite.f32.f16.f16.f32
                invalid: no form of the instruction has this combination: found .satfinite; allowed: .satfinite left out [no-such-form, PTX ISA 9.7.14.5.14]
                nearest: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
            mma.sync.aligned.m16n8k32.row.col.s32.s8.s4.s32
                invalid: no form of the instruction has this combination: found .btype .s4, .atype .s8; allowed: .btype .u8, .s8; or .atype .u4, .s4 [no-such-form, PTX ISA 9.7.14.5.14]
                nearest: mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32
            mma.sync.aligned.m16n8k8.row.col.f32.bf16.tf32.f32
                invalid: .atype must be the same as .btype for .m16n8k8: found .atype .bf16 with .btype .tf32; allowed: .bf16 twice or .tf32 twice [multiplicand-types-differ, PTX ISA 9.7.14.5.14]
                nearest: mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32
            mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f32
                invalid: .dtype must be .f32 when .ctype is .f32 for .m8n8k4: found .dtype .f16 with .ctype .f32; allowed: .dtype .f32 [f16-result-of-f32-accumulator, PTX ISA 9.7.14.5.14]
                nearest: mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32
            mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e2m1.f32
                invalid: no form of the instruction has this combination: found .btype .e2m1, no .kind; allowed: .btype .e4m3, .e5m2; or .kind::f8f6f4 [no-such-form, PTX ISA 9.7.14.5.14]
                nearest: mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32
            mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.f32.e2m1.e2m1.f32.ue8m0
                invalid: no form of the instruction has this combination: found .kind::mxf4nvf4, no .scale_vec_size; allowed: .kind::mxf4; or .scale_vec::2X, .scale_vec::4X [no-such-form, PTX ISA 9.7.14.5.14]
                nearest: mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0
            mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue4m3
                invalid: no form of the instruction has this combination: found .stype .ue4m3, .scale_vec::2X; allowed: .stype .ue8m0; or .scale_vec::4X [no-such-form, PTX ISA 9.7.14.5.14]
                nearest: mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3
            mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and
                invalid: mandatory qualifier missing: found no .popc; allowed: an opcode with .popc [missing-qualifier, PTX ISA 9.7.14.5.14]
                nearest: mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc
            mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.popc.and
                invalid: mandatory qualifier missing: found .popc without an operation before it; allowed: .and.popc or .xor.popc [missing-qualifier, PTX ISA 9.7.14.5.14]
                nearest: mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc
            mma.sync.aligned
                invalid: no form of the instruction has this combination: found no shape, no .alayout, no .blayout, no .dtype, no .atype, no .btype, no .ctype; allowed: an opcode such as mma.sync.aligned.m8n8k16.row.col.s32.u8.u8.s32 [no-such-form, PTX ISA 9.7.14.5.14]
                nearest: mma.sync.aligned.m8n8k16.row.col.s32.u8.u8.s32
            mma.sp.sync.aligned.m16n8k64.row.col.kind::f8f6f4.f32.e4m3.e4m3.f32
                invalid: no form of the instruction has this combination: found .kind::f8f6f4; allowed: mma.sp::ordered_metadata; or .kind left out [no-such-form, PTX ISA 9.7.14.6.3]
                nearest: mma.sp.sync.aligned.m16n8k64.row.col.f32.e4m3.e4m3.f32
            mma.sp.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32
                invalid: no form of the instruction has this combination: found shape .m16n8k32; allowed: shape .m16n8k64 [no-such-form, PTX ISA 9.7.14.6.3]
                nearest: mma.sp.sync.aligned.m16n8k64.row.col.f32.e4m3.e4m3.f32
            wgmma.mma_async.sync.aligned.m64n40k32.s32.s8.s8
                invalid: no form of the instruction has this combination: found shape .m64n40k32; allowed: shape .m64n8k32, .m64n16k32, .m64n24k32, .m64n32k32, .m64n48k32, .m64n64k32 … .m64n256k32 [no-such-form, PTX ISA 9.7.15.5.2]
                nearest: wgmma.mma_async.sync.aligned.m64n48k32.s32.s8.s8
            wgmma.mma_async.sp::ordered_metadata.sync.aligned.m64n64k32.f32.f16.f16
                invalid: unknown qualifier: found .sp::ordered_metadata; allowed: wgmma.mma_async has only .sp [unknown-qualifier, PTX ISA 9.7.15.6.3]
                nearest: wgmma.mma_async.sp.sync.aligned.m64n64k32.f32.f16.f16
            mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%d0, %d1, %d2, %d3}, {%a0, %a1, %a2}, {%b0, %b1}, {%c0, %c1, %c2, %c3};
                invalid: wrong number of registers: found operand a has 3 registers; allowed: 4 .f16x2 registers [wrong-vector-size, PTX ISA 9.7.14.5]
            mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%d0, %d1, %d2, %d3}, %a0, {%b0, %b1}, {%c0, %c1, %c2, %c3};
                invalid: wrong kind of operand: found operand a is %a0; allowed: a vector of 4 .f16x2 registers in braces [wrong-operand-kind, PTX ISA 9.7.14.5.14]
            mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%d0, %d1, %d2, %d3}, {%a0, %a1, %a2, _}, {%b0, %b1}, {%c0, %c1, %c2, %c3};
                invalid: wrong kind of operand: found operand a has _; allowed: a .f16x2 register [wrong-operand-kind, PTX ISA 9.7.14.5.14]
            mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%d0, %d1, %d2, %d3}, {%a0, %a1, %a2, %a3}, {%b0, %b1};
                invalid: wrong number of operands: found 3 operands; allowed: 4: d, a, b, c [wrong-operand-count, PTX ISA 9.7.14.5.14]
            mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%d0, %d1}, {%a0, %a1}, {%b0, %b1}, {%c0, %c1}, %e, 4;
                invalid: sparsity selector out of range: found sparsity selector f = 4; allowed: 0 or 1 or 2 or 3 [selector-out-of-range, PTX ISA 9.7.14.6.1]
            mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%d0, %d1, %d2, %d3}, {%a0, %a1, %a2, %a3}, {%b0, %b1, %b2, %b3}, {%c0, %c1, %c2, %c3}, %e, 2;
                undefined behavior: the selector must name a thread-pair: found sparsity selector f = 2; allowed: 0 (threads T0, T1) or 1 (threads T2, T3) [selector-names-no-thread-pair, PTX ISA 9.7.14.6.1]
            mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%d0, %d1}, {%a0, %a1}, {%b0, %b1}, {%c0, %c1}, %e, %f;
                invalid: wrong kind of operand: found sparsity selector f is %f; allowed: an integer constant [wrong-operand-kind, PTX ISA 9.7.14.6.3]
            mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0 {%d0, %d1, %d2, %d3}, {%a0, %a1, %a2, %a3}, {%b0, %b1}, {%c0, %c1, %c2, %c3}, %sa, {1, 0}, %sb, {2, 4};
                invalid: byte-id out of range: found byte-id-a = 1; allowed: 0 or 2 [byte-id-out-of-range, PTX ISA 9.7.14.3]
                invalid: thread-id out of range: found thread-id-b = 4; allowed: 0 or 1 or 2 or 3 [thread-id-out-of-range, PTX ISA 9.7.14.3]
            wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d0, %d1, %d2, %d3}, %da, %db, %p, 1, 2, 0, 0;
                invalid: immediate out of range: found imm-scale-b = 2; allowed: -1 or 1 [constant-out-of-range, PTX ISA 9.7.15.5.2]
            wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d0, %d1, %d2, %d3}, %da, %db, 3, 1, 1, 0, 0;
                invalid: immediate out of range: found scale-d = 3; allowed: a predicate, 0 or 1 [constant-out-of-range, PTX ISA 9.7.15.5.2]
            wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d0, %d1, %d2, %d3}, {%a0, %a1, %a2, %a3}, %db, %p, 1, 1, 0, 0;
                invalid: wrong number of operands: found 8 operands; allowed: 7: d, a, b-desc, scale-d, imm-scale-a, imm-scale-b, imm-trans-b [wrong-operand-count, PTX ISA 9.7.15.5.2]
            """;

    @Test
    void typicalMistakesAreToldWhatToChange() {
        List<String> told = new ArrayList<>();
        GOLDEN.lines()
                .filter(line -> !line.startsWith(" "))
                .forEach(
                        line -> {
                            told.add(line);
                            Legality legality = Legality.of(SourceInstruction.parse(line));
                            legality.violations().forEach(v -> told.add("    " + v));
                            legality.nearest().stream()
                                    .limit(1)
                                    .forEach(near -> told.add("    nearest: " + near));
                        });
        assertThat(told).containsExactlyElementsOf(GOLDEN.lines().toList());
    }

    @Test
    void aModuleThatIsTooOldIsToldWhatItNeeds() {
        String opcode = "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32";
        Legality legality =
                Legality.ofOpcode(opcode).on(Target.parse("sm_80"), PtxVersion.parse("7.0"));
        assertThat(legality.violations())
                .extracting(Violation::toString)
                .containsExactly(
                        "invalid: needs a newer PTX ISA version: found .version 7.0; allowed:"
                                + " .version 8.4 or newer [version-too-low, PTX ISA 9.7.14.5.14]",
                        "invalid: not supported on this target: found sm_80; allowed: sm_89 or"
                                + " higher [unsupported-target, PTX ISA 9.7.14.5.14]");
        assertThat(legality.legal()).isFalse();
        assertThat(
                        Legality.ofOpcode(opcode)
                                .on(Target.parse("sm_120a"), PtxVersion.parse("8.4"))
                                .violations())
                .extracting(Violation::toString)
                .containsExactly(
                        "invalid: needs a newer PTX ISA version: found .version 8.4 with .target"
                            + " sm_120a; allowed: .version 8.7 or newer [version-too-low, PTX ISA"
                            + " 11.1.2]");
    }

    @Test
    void registersOfTheWrongTypeAreNamed() {
        assertThat(complaint(register("%f", RegisterType.F32), register("%g", RegisterType.F32)))
                .isEqualTo(
                        "invalid: wrong register type: found operand b: %f is .f32; allowed:"
                                + " .f16x2, .b32 [wrong-operand-type, PTX ISA 6.1]");
        assertThat(complaint(register("%x", RegisterType.F16X2), register("%u", RegisterType.U32)))
                .isEqualTo(
                        "invalid: registers of one vector differ in type: found operand b: %u is"
                                + " .u32 beside .f16x2; allowed: registers of one type, such as"
                                + " .f16x2 [mixed-vector-elements, PTX ISA 9.4]");
        assertThat(complaint(register("%x", RegisterType.F16X2), register("%r", RegisterType.B32)))
                .isEmpty();
    }

    private static SourceOperand.Register register(String name, RegisterType type) {
        return new SourceOperand.Register(name, Optional.of(type), false);
    }

    /// What is wrong with these two registers as B of m16n8k16.
    private static String complaint(SourceOperand... b) {
        SourceInstruction instruction =
                SourceInstruction.parse(
                        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
                                + " {%d0, %d1, %d2, %d3}, {%a0, %a1, %a2, %a3}, {%b0, %b1},"
                                + " {%c0, %c1, %c2, %c3};");
        List<SourceOperand> operands = new ArrayList<>(instruction.operands().orElseThrow());
        operands.set(2, new SourceOperand.Vector(List.of(b)));
        Legality legality =
                Legality.of(new SourceInstruction("", instruction.opcode(), Optional.of(operands)));
        return String.join("\n", legality.violations().stream().map(Violation::toString).toList());
    }
}
