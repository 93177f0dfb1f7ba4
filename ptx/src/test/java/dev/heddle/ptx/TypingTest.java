package dev.heddle.ptx;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

@DisplayName("PTX ISA 9.7: qualifiers become fields")
final class TypingTest {

    /// Opcodes of the manual that have no typed record.
    private static final Set<String> GENERIC =
            Set.of(
                    "wmma",
                    "tex",
                    "tld4",
                    "txq",
                    "suld",
                    "sust",
                    "sured",
                    "suq",
                    "istypep",
                    "vadd",
                    "multimem",
                    "tensormap",
                    "createpolicy",
                    "clusterlaunchcontrol",
                    "tcgen05",
                    "alloca",
                    "stacksave",
                    "stackrestore",
                    "pmevent");

    private static Instruction typed(String line) {
        String text =
                """
                .version 9.0
                .target sm_90a
                .address_size 64
                .entry k() {
                .reg .b32 %%r<9>;
                .reg .b64 %%rd<9>;
                .reg .f32 %%f<9>;
                .reg .pred %%p<3>;
                %s
                }
                """
                        .formatted(line);
        Parsed parsed = Ptx.parse(text, "k.ptx");
        assertThat(parsed.diagnostics()).isEmpty();
        Statement.Block body = parsed.module().functions().getFirst().body();
        if (body == null) {
            throw new AssertionError("no body: " + line);
        }
        return ((Instruction) body.statements().getLast()).generic().typed();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "mad.hi.sat.s32 %r0, %r1, %r2, %r3; | IntegerArithmetic[mad, hi, S32, true, false,"
                        + " false]",
                "addc.cc.u32 %r0, %r1, %r2; | IntegerArithmetic[add, null, U32, false, true, true]",
                "fma.rn.ftz.sat.f32 %f0, %f1, %f2, %f3; | FloatArithmetic[fma, F32, rn, true, true,"
                        + " false, false]",
                "setp.ltu.and.ftz.f32 %p0, %f1, %f2, %p1; | Comparison[ltu, and, F32, PRED, true]",
                "shf.l.wrap.b32 %r0, %r1, %r2, %r3; | Logic[shf.l, B32, true]",
                "cvt.rzi.ftz.s32.f32 %r0, %f1; | Conversion[S32, F32, rzi, true, false, false,"
                        + " false]",
                "ld.relaxed.gpu.global.v4.f32 {%f0,%f1,%f2,%f3}, [%rd1];"
                        + " | MemoryAccess[false, global, F32, 4, relaxed, gpu, false]",
                "st.shared::cta.b32 [%r1], %r2; | MemoryAccess[true, shared::cta, B32, 1, null,"
                        + " null, false]",
                "atom.acq_rel.sys.global.cas.b32 %r0, [%rd1], %r1, %r2;"
                        + " | Atomic[cas, B32, global, acq_rel, sys, true]",
                "bar.red.popc.u32 %r0, 0, %p1; | Barrier[cta, red, popc, true]",
                "cp.async.bulk.commit_group; | AsyncCopy[BULK_COMMIT_GROUP]",
                "mbarrier.try_wait.parity.shared.b64 %p0, [%r1], %r2; | MemoryBarrier[try_wait,"
                        + " true]",
                "vote.sync.ballot.b32 %r0, %p1, -1; | WarpOperation[vote, ballot]",
                "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r0,%r1,%r2,%r3}, [%r4];"
                        + " | MatrixMove[ldmatrix, 4, true]",
                "setmaxnreg.dec.sync.aligned.u32 40; | Resource[setmaxnreg, dec]",
            })
    void fieldsHoldTheQualifiers(String line, String expected) {
        List<?> parts = (List<?>) Structure.of(typed(line));
        if (parts == null) {
            throw new AssertionError("no structure: " + line);
        }
        assertThat(parts.getFirst() + parts.subList(2, parts.size()).toString())
                .isEqualTo(expected);
    }

    @Test
    void everyInstructionOfTheCorpusIsTyped() throws IOException {
        Set<String> untyped = new TreeSet<>();
        for (Path file : Corpus.files()) {
            for (Function function :
                    Ptx.parse(Files.readString(file), "corpus").module().functions()) {
                if (function.body() != null) {
                    collect(function.body(), untyped);
                }
            }
        }
        untyped.removeAll(GENERIC);
        assertThat(untyped).isEmpty();
    }

    private static void collect(Statement.Block block, Set<String> untyped) {
        for (Statement statement : block.statements()) {
            if (statement instanceof Statement.Block inner) {
                collect(inner, untyped);
            } else if (statement instanceof Instruction instruction
                    && instruction.generic().typed() instanceof GenericInstruction generic) {
                untyped.add(generic.opcode());
            }
        }
    }
}
