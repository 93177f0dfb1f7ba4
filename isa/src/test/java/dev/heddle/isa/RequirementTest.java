package dev.heddle.isa;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a syntax line requires")
final class RequirementTest {
    private static String supported(String requirement) {
        return String.join(
                " ",
                Requirement.parse(requirement).supported().stream().map(Target::toString).toList());
    }

    @Test
    void anArchitectureAndEveryLaterOne() {
        assertThat(supported("7.8 sm_90"))
                .startsWith("sm_90 sm_90a sm_100 ")
                .endsWith(" sm_121 sm_121f sm_121a");
        assertThat(Requirement.parse("7.8 sm_90")).hasToString("PTX ISA 7.8, sm_90 or higher");
    }

    @Test
    void someTargetsAlone() {
        assertThat(supported("8.0 =sm_90a")).isEqualTo("sm_90a");
        assertThat(supported("8.7 =sm_120a,sm_121a")).isEqualTo("sm_120a sm_121a");
        assertThat(Requirement.parse("8.7 =sm_120a,sm_121a"))
                .hasToString("PTX ISA 8.7, sm_120a or sm_121a");
    }

    @Test
    void theSpecificTargetsOfAFamily() {
        assertThat(supported("8.7 sm_120+")).isEqualTo("sm_120f sm_120a sm_121f sm_121a");
        assertThat(supported("8.8 sm_103+")).isEqualTo("sm_103f sm_103a");
    }

    @Test
    void anyOfSeveral() {
        assertThat(supported("8.6 =sm_90a or sm_110+")).isEqualTo("sm_90a sm_110f sm_110a");
        assertThat(Requirement.parse("8.6 =sm_90a or sm_110+").targets().names())
                .isEqualTo("sm_90a, sm_110f");
        assertThat(Requirement.parse("8.3").supported()).isEqualTo(Target.all());
    }

    @Test
    void noEarlierThanTheInstructionItself() {
        Requirement line = Requirement.parse("7.1 sm_80");
        assertThat(line.notBefore(PtxVersion.parse("8.5")))
                .hasToString("PTX ISA 8.5, sm_80 or higher");
        assertThat(line.notBefore(PtxVersion.parse("6.4"))).isEqualTo(line);
    }
}
