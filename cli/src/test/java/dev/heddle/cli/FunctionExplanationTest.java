package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

@DisplayName("heddle explain, of an approximate function")
final class FunctionExplanationTest {
    /// The exact value is mpmath's: 2^-0x1.402p-4 is 0.94726795285844...
    @Test
    void saysWhereTheLargestErrorIs() {
        assertThat(Ran.heddle("explain", "ex2.approx.ftz.f32").out())
                .contains("at most 2 ulp from the correctly rounded result for all inputs")
                .contains("largest errors, of 4,294,967,296 inputs")
                .contains("2.0550 ulp (2 from the correctly rounded result), all inputs")
                .contains("at 0xbda01000 (-0.07815552): 0x3f728025")
                .contains("exactly 0.947267952858");
    }

    @Test
    void saysWhereTheMachineDepartsFromTheManual() {
        assertThat(Ran.heddle("explain", "cos.approx.f32").out())
                .contains("2^-20.43, inputs in [-2pi, 2pi]: MORE than the manual allows");
        assertThat(Ran.heddle("explain", "--json", "cos.approx.f32").out())
                .contains("\"exceedsManual\":true");
    }

    @Test
    void ofAPackedFormItSaysTheSameAsOfItsHalves() {
        assertThat(Ran.heddle("explain", "tanh.approx.bf16x2").out())
                .contains("absolute error 2^-8.00, all inputs: MORE than the manual allows")
                .contains("at 0x3f3f");
    }

    @Test
    void drawsTheErrors(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("ex2.svg");
        Ran ran = Ran.heddle("explain", "ex2.approx.ftz.f32", "--figure", file.toString());
        assertThat(ran.code()).isZero();
        assertThat(Files.readString(file)).startsWith("<svg").contains("largest error in ulp");
        assertThat(Ran.heddle("explain", "add.f32", "--figure", file.toString()).err())
                .contains("only for an approximate function");
    }
}
