package dev.heddle.isa;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.Verdict;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// The example instructions of the section, lines joined, each behind what the section's notes say
/// it needs: a PTX ISA version, and `sm_80` for that target or higher, `sm_120a family` for the `a`
/// and `f` targets of the family, or the only targets by name.
@DisplayName("PTX ISA 9.7.14.6.3: the examples of mma.sp and mma.sp::ordered_metadata")
final class SparseExamplesTest {
    private static final String EXAMPLES =
            """
            7.1 sm_80           | mma.sp.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%Rd0, %Rd1}, {%Ra0, %Ra1}, {%Rb0, %Rb1}, {%Rc0, %Rc1}, %Re, 0x1;
            8.5 sm_80           | mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%Rd0, %Rd1}, {%Ra0, %Ra1}, {%Rb0, %Rb1}, {%Rc0, %Rc1}, %Re, 0x1;
            7.1 sm_80           | mma.sp.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%Rd0, %Rd1, %Rd2, %Rd3}, {%Ra0, %Ra1}, {%Rb0, %Rb1}, {%Rc0, %Rc1, %Rc2, %Rc3}, %Re, 0x1;
            7.1 sm_80           | mma.sp.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%Rd0, %Rd1, %Rd2, %Rd3}, {%Ra0, %Ra1}, {%Rb0, %Rb1}, {%Rc0, %Rc1, %Rc2, %Rc3}, %Re, 0x1;
            7.1 sm_80           | mma.sp.sync.aligned.m16n8k32.row.col.f32.bf16.bf16.f32 {%Rd0, %Rd1, %Rd2, %Rd3}, {%Ra0, %Ra1, %Ra2, %Ra3}, {%Rb0, %Rb1, %Rb2, %Rb3}, {%Rc0, %Rc1, %Rc2, %Rc3}, %Re, 0x1;
            8.4 sm_89           | mma.sp.sync.aligned.m16n8k64.row.col.f32.e5m2.e4m3.f32 {%Rd0, %Rd1, %Rd2, %Rd3}, {%Ra0, %Ra1, %Ra2, %Ra3}, {%Rb0, %Rb1, %Rb2, %Rb3}, {%Rc0, %Rc1, %Rc2, %Rc3}, %Re, 0;
            8.5 sm_80           | mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%Rd0, %Rd1, %Rd2, %Rd3}, {%Ra0, %Ra1}, {%Rb0, %Rb1}, {%Rc0, %Rc1, %Rc2, %Rc3}, %Re, 0x1;
            8.7 sm_120a family  | mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind::f8f6f4.f32.e3m2.e2m3.f32 {%Rd0, %Rd1, %Rd2, %Rd3}, {%Ra0, %Ra1, %Ra2, %Ra3}, {%Rb0, %Rb1, %Rb2, %Rb3}, {%Rc0, %Rc1, %Rc2, %Rc3}, %Re, 0;
            8.7 sm_120a family  | mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind::f8f6f4.f16.e2m3.e2m1.f16 {%Rd0, %Rd1}, {%Ra0, %Ra1, %Ra2, %Ra3}, {%Rb0, %Rb1, %Rb2, %Rb3}, {%Rc0, %Rc1}, %Re, 0;
            7.1 sm_80           | mma.sp.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.u8.s32 {%Rd0, %Rd1, %Rd2, %Rd3}, {%Ra0, %Ra1}, {%Rb0, %Rb1}, {%Rc0, %Rc1, %Rc2, %Rc3}, %Re, 0x1;
            7.1 sm_80           | mma.sp.sync.aligned.m16n8k64.row.col.satfinite.s32.s8.s8.s32 {%Rd0, %Rd1, %Rd2, %Rd3}, {%Ra0, %Ra1, %Ra2, %Ra3}, {%Rb0, %Rb1, %Rb2, %Rb3}, {%Rc0, %Rc1, %Rc2, %Rc3}, %Re, 0x0;
            8.5 sm_80           | mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.satfinite.s32.s8.s8.s32 {%Rd0, %Rd1, %Rd2, %Rd3}, {%Ra0, %Ra1, %Ra2, %Ra3}, {%Rb0, %Rb1, %Rb2, %Rb3}, {%Rc0, %Rc1, %Rc2, %Rc3}, %Re, 0x0;
            7.1 sm_80           | mma.sp.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32 {%Rd0, %Rd1, %Rd2, %Rd3}, {%Ra0, %Ra1}, {%Rb0, %Rb1}, {%Rc0, %Rc1, %Rc2, %Rc3}, %Re, 0x1;
            7.1 sm_80           | mma.sp.sync.aligned.m16n8k128.row.col.satfinite.s32.u4.u4.s32 {%Rd0, %Rd1, %Rd2, %Rd3}, {%Ra0, %Ra1, %Ra2, %Ra3}, {%Rb0, %Rb1, %Rb2, %Rb3}, {%Rc0, %Rc1, %Rc2, %Rc3}, %Re, 0x0;
            8.7 sm_120a sm_121a | mma.sp::ordered_metadata.sync.aligned.m16n8k128.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0 {%Rd0, %Rd1, %Rd2, %Rd3}, {%Ra0, %Ra1, %Ra2, %Ra3}, {%Rb0, %Rb1, %Rb2, %Rb3}, {%Rc0, %Rc1, %Rc2, %Rc3}, %Re, 0, scaleAData, {2, 1}, scaleBData, {2, 3};
            8.7 sm_120a sm_121a | mma.sp::ordered_metadata.sync.aligned.m16n8k128.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3 {%Rd0, %Rd1, %Rd2, %Rd3}, {%Ra0, %Ra1, %Ra2, %Ra3}, {%Rb0, %Rb1, %Rb2, %Rb3}, {%Rc0, %Rc1, %Rc2, %Rc3}, %Re, 0, scaleAData, {bidA, tidA}, scaleBData, {bidB, tidB};
            9.1 sm_120a sm_121a | mma.sp::ordered_metadata.sync.aligned.m16n8k128.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue8m0 {%Rd0, %Rd1, %Rd2, %Rd3}, {%Ra0, %Ra1, %Ra2, %Ra3}, {%Rb0, %Rb1, %Rb2, %Rb3}, {%Rc0, %Rc1, %Rc2, %Rc3}, %Re, 0, scaleAData, {bidA, tidA}, scaleBData, {bidB, tidB};
            8.7 sm_120a family  | mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e3m2.e2m1.f32.ue8m0 {%Rd0, %Rd1, %Rd2, %Rd3}, {%Ra0, %Ra1, %Ra2, %Ra3}, {%Rb0, %Rb1, %Rb2, %Rb3}, {%Rc0, %Rc1, %Rc2, %Rc3}, %Re, 0, scaleAData, {0, 1}, scaleBData, {0, 1};
            8.7 sm_120a family  | mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e5m2.f32.ue8m0 {%Rd0, %Rd1, %Rd2, %Rd3}, {%Ra0, %Ra1, %Ra2, %Ra3}, {%Rb0, %Rb1, %Rb2, %Rb3}, {%Rc0, %Rc1, %Rc2, %Rc3}, %Re, 0, scaleAData, {0, 1}, scaleBData, {0, 0};
            """;

    private static final List<PtxVersion> VERSIONS =
            Stream.of("7.0 7.1 8.0 8.3 8.4 8.5 8.6 8.7 8.8 9.0 9.1".split(" "))
                    .map(PtxVersion::parse)
                    .toList();

    record Example(PtxVersion since, List<String> targets, String instruction) {
        static Example read(String line) {
            String[] parts = line.split("\\|", 2);
            List<String> words = List.of(parts[0].strip().split(" "));
            return new Example(
                    PtxVersion.parse(words.getFirst()),
                    words.subList(1, words.size()),
                    parts[1].strip());
        }

        boolean isOn(Target target) {
            if (targets.contains("family")) {
                return Set.of("sm_120a", "sm_120f", "sm_121a", "sm_121f")
                        .contains(target.toString());
            }
            return targets.getFirst().endsWith("a")
                    ? targets.contains(target.toString())
                    : target.number() >= Integer.parseInt(targets.getFirst().substring(3));
        }

        Legality on(Target target, PtxVersion version) {
            return Legality.of(SourceInstruction.parse(instruction)).on(target, version);
        }

        @Override
        public String toString() {
            return instruction.substring(0, instruction.indexOf(' '));
        }
    }

    static Stream<Example> examples() {
        return EXAMPLES.lines().map(Example::read);
    }

    @Test
    void thereAreNineteen() {
        assertThat(examples()).hasSize(19);
    }

    @ParameterizedTest
    @MethodSource("examples")
    void isExplainedWithoutComplaint(Example example) {
        Legality legality = Legality.of(SourceInstruction.parse(example.instruction));
        assertThat(legality.forms()).hasSize(1);
        assertThat(legality.violations()).allMatch(v -> v.verdict() == Verdict.ADVICE);
    }

    /// A target that is newer than the version is refused for that, whatever the instruction.
    @ParameterizedTest
    @MethodSource("examples")
    void isTakenWhereTheNotesSaySoAndRefusedElsewhere(Example example) {
        Legality anywhere = Legality.of(SourceInstruction.parse(example.instruction));
        for (Target target : Target.all()) {
            for (PtxVersion version : VERSIONS) {
                boolean recent = version.atLeast(example.since);
                boolean known = version.atLeast(target.since());
                Legality legality = anywhere.on(target, version);
                String where = target + " with PTX " + version;
                assertThat(legality.legal())
                        .as(where)
                        .isEqualTo(recent && known && example.isOn(target));
                List<Violation> invalid =
                        legality.violations().stream()
                                .filter(v -> v.verdict() == Verdict.INVALID)
                                .toList();
                assertThat(invalid.stream().anyMatch(v -> v.rule() == Rule.UNSUPPORTED_TARGET))
                        .as(where)
                        .isEqualTo(!example.isOn(target));
                assertThat(invalid.stream().anyMatch(v -> v.rule() == Rule.VERSION_TOO_LOW))
                        .as(where)
                        .isEqualTo(!recent || !known);
                assertThat(invalid)
                        .allMatch(v -> Set.of("9.7.14.6.3", "11.1.2").contains(v.section()));
            }
        }
    }

    @Test
    void theRefusalSaysWhatIsMissing() {
        Example example = examples().toList().get(16);
        assertThat(example.on(Target.parse("sm_120f"), PtxVersion.parse("9.0")).violations())
                .extracting(Violation::toString)
                .containsExactly(
                        "invalid: needs a newer PTX ISA version: found .version 9.0; allowed:"
                                + " .version 9.1 or newer [version-too-low, PTX ISA 9.7.14.6.3]",
                        "invalid: not supported on this target: found sm_120f; allowed: sm_120a or"
                                + " sm_121a [unsupported-target, PTX ISA 9.7.14.6.3]");
    }
}
