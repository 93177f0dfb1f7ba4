package dev.heddle.isa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("PTX ISA 11.1.1, 11.1.2: targets and versions")
final class TargetTest {
    @Test
    void aTargetIsANumberAndALetter() {
        Target target = Target.parse("sm_121f");
        assertThat(target.number()).isEqualTo(121);
        assertThat(target.family()).isEqualTo(12);
        assertThat(target.variant()).isEqualTo(Target.Variant.FAMILY);
        assertThat(Target.parse("sm_90a").variant()).isEqualTo(Target.Variant.ARCHITECTURE);
        assertThat(Target.parse("sm_80").variant()).isEqualTo(Target.Variant.BASELINE);
    }

    @Test
    void everyTargetReadsAsItPrints() {
        assertThat(Target.all()).doesNotHaveDuplicates().isNotEmpty();
        for (Target target : Target.all()) {
            assertThat(Target.parse(target.toString())).isEqualTo(target);
        }
    }

    @Test
    void aTargetIsAsOldAsTheManualSays() {
        assertThat(Target.parse("sm_75").since()).hasToString("6.3");
        assertThat(Target.parse("sm_90a").since()).hasToString("8.0");
        assertThat(Target.parse("sm_120f").since()).hasToString("8.8");
    }

    @Test
    void anUnknownTargetIsRefusedWithTheOnesThereAre() {
        assertThatThrownBy(() -> Target.parse("sm_91"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("unknown target \"sm_91\": expected one of sm_70 sm_72 ")
                .hasMessageEndingWith(" sm_121a");
    }

    @Test
    void versionsAreOrderedByTheirNumbers() {
        assertThat(PtxVersion.parse("8.10").atLeast(PtxVersion.parse("8.9"))).isTrue();
        assertThat(PtxVersion.parse("8.0").atLeast(PtxVersion.parse("7.8"))).isTrue();
        assertThat(PtxVersion.parse("8.7").atLeast(PtxVersion.parse("8.7"))).isTrue();
        assertThat(PtxVersion.parse("8.7").atLeast(PtxVersion.parse("9.0"))).isFalse();
        assertThat(PtxVersion.NEWEST).hasToString("9.1");
    }

    @Test
    void aVersionIsTwoNumbers() {
        for (String text : new String[] {"8", "8.", ".7", "8.x", "", "8.7.1"}) {
            assertThatThrownBy(() -> PtxVersion.parse(text))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("PTX version \"" + text + "\": expected two numbers such as 8.7");
        }
    }
}
