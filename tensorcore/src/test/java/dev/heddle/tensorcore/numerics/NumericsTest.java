package dev.heddle.tensorcore.numerics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.isa.Family;
import dev.heddle.isa.Form;
import dev.heddle.isa.Forms;
import dev.heddle.tensorcore.numerics.Accumulation.FusedSum;
import dev.heddle.tensorcore.numerics.Accumulation.Grouping;
import dev.heddle.tensorcore.numerics.Accumulation.Result;
import dev.heddle.tensorcore.numerics.Evidence.Assumed;
import dev.heddle.tensorcore.numerics.Evidence.Measured;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Optional;

@DisplayName("PTX ISA 9.7.14.5.14: what is unspecified, generation by generation")
final class NumericsTest {

    @Test
    void everyFormOfEveryGenerationHasARuleWithEvidence() {
        for (Form form : Forms.all()) {
            for (Generation generation : Generation.values()) {
                Optional<Accumulation> rule = Numerics.of(form, generation);
                assertThat(rule.isPresent())
                        .as("%s on %s", form, generation)
                        .isEqualTo(generation.has(form));
                rule.ifPresent(
                        found -> {
                            assertThat(found.evidence()).as("%s", form).isNotEmpty();
                            assertThat(found.description()).isNotBlank();
                        });
            }
        }
    }

    @Test
    void wgmmaIsMeasuredOrExactAndOnOneGenerationOnly() {
        for (Form form : Forms.of(Family.WGMMA)) {
            assertThat(Numerics.of(form, Generation.SM_90).orElseThrow().evidence())
                    .noneMatch(Assumed.class::isInstance);
            assertThat(Numerics.of(form, Generation.SM_100)).isEmpty();
        }
    }

    /// Recorded on an H200 was every form that sm_90a executes, single-bit ones and every rounding
    /// of f64 included (`docs/evidence/gpu.md`).
    @Test
    void everyFormOfHopperIsMeasured() {
        for (Form form : Forms.all()) {
            Numerics.of(form, Generation.SM_90)
                    .ifPresent(
                            rule ->
                                    assertThat(rule.evidence())
                                            .as("%s", form)
                                            .anyMatch(Measured.class::isInstance)
                                            .noneMatch(Assumed.class::isInstance));
        }
    }

    @Test
    void onlyHopperIsMeasured() {
        for (Form form : Forms.all()) {
            for (Generation generation : Generation.values()) {
                if (generation != Generation.SM_90) {
                    Numerics.of(form, generation)
                            .ifPresent(
                                    rule ->
                                            assertThat(rule.evidence())
                                                    .noneMatch(Measured.class::isInstance));
                }
            }
        }
    }

    /// The table of arXiv 2511.10909, and for sm_90 what the recorded vectors settled.
    @ParameterizedTest(name = "{0} on {1}")
    @CsvSource({
        "m16n8k16.row.col.f32.f16.f16.f32,   SM_80,  24, HALVES, F32_TOWARD_ZERO",
        "m16n8k8.row.col.f32.f16.f16.f32,    SM_80,  24, WHOLE,  F32_TOWARD_ZERO",
        "m16n8k16.row.col.f16.f16.f16.f16,   SM_80,  24, HALVES, F16_NEAREST_EVEN",
        "m16n8k8.row.col.f32.tf32.tf32.f32,  SM_86,  24, HALVES, F32_TOWARD_ZERO",
        "m16n8k4.row.col.f32.tf32.tf32.f32,  SM_89,  24, WHOLE,  F32_TOWARD_ZERO",
        "m16n8k32.row.col.f32.e4m3.e5m2.f32, SM_89,  13, HALVES, F32_13_BITS_TOWARD_ZERO",
        "m16n8k16.row.col.f32.e4m3.e5m2.f32, SM_89,  13, WHOLE,  F32_13_BITS_TOWARD_ZERO",
        "m16n8k32.row.col.f16.e4m3.e4m3.f16, SM_89,  13, HALVES, F16_NEAREST_EVEN",
        "m16n8k16.row.col.f32.bf16.bf16.f32, SM_90,  25, WHOLE,  F32_TOWARD_ZERO",
        "m16n8k32.row.col.f32.e4m3.e5m2.f32, SM_90,  25, ALTERNATING_PAIRS, F32_TOWARD_ZERO",
        "m16n8k16.row.col.f32.f16.f16.f32,   SM_100, 25, WHOLE,  F32_TOWARD_ZERO",
        "m16n8k32.row.col.f32.e4m3.e4m3.f32, SM_120, 25, WHOLE,  F32_TOWARD_ZERO"
    })
    void denseFloats(
            String opcode, Generation generation, int bits, Grouping grouping, Result result) {
        FusedSum sum =
                (FusedSum)
                        Numerics.of(Form.of("mma.sync.aligned." + opcode), generation)
                                .orElseThrow();
        assertThat(sum.fractionBits()).contains(bits);
        assertThat(sum.grouping()).isEqualTo(grouping);
        assertThat(sum.result()).isEqualTo(result);
    }

    @Test
    void generationsAreFoundByTheirTargets() {
        assertThat(Generation.of("sm_90a")).isEqualTo(Generation.SM_90);
        assertThat(Generation.of("sm_120f")).isEqualTo(Generation.SM_120);
        assertThatThrownBy(() -> Generation.of("sm_70"))
                .hasMessage(
                        "no numerics for \"sm_70\": expected one of sm_80 sm_86 sm_89 sm_90 sm_100"
                                + " sm_103 sm_120 sm_121");
    }
}
