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
    void targetsBeforeMatricesAreKnownToo() {
        assertThat(Target.parse("sm_21").since()).hasToString("2.0");
        assertThat(Target.parse("sm_61").since()).hasToString("5.0");
        assertThat(Target.all()).noneMatch(target -> target.number() < 70);
    }

    /// ptxas 13.0 takes `.target sm_101a` from PTX 8.6 on and assembles it for sm_110a.
    @Test
    void aRenamedTargetIsTheOneItBecame() {
        Target old = Target.parse("sm_101a");
        assertThat(old.since()).hasToString("8.6");
        assertThat(old.current()).isEqualTo(Target.parse("sm_110a"));
        assertThat(old.family()).isEqualTo(11);
        assertThat(Target.all()).doesNotContain(old);
        assertThat(Requirement.parse("8.6 sm_110+").targets().include(old)).isTrue();
        assertThat(Requirement.parse("7.0 sm_80").targets().include(old)).isTrue();
        assertThat(Requirement.parse("8.6 sm_100+").targets().include(old)).isFalse();
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
