package dev.heddle.conformance.functions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.formats.FloatFormat;
import dev.heddle.tensorcore.functions.ApproximateFunction;
import dev.heddle.tensorcore.functions.ErrorBound;
import dev.heddle.tensorcore.functions.ErrorProfile;
import dev.heddle.tensorcore.functions.LargestError;

import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/// What `LargestErrors` stored: each error again by exact arithmetic, and of each function again
/// the sign and exponent that the first of them lies in.
@DisplayName("The largest errors of the approximate functions")
final class LargestErrorsTest {
    static Stream<LargestError> stored() {
        return LargestError.all().stream();
    }

    @ParameterizedTest
    @EnumSource
    void everyFunctionHasThem(ApproximateFunction function) {
        assertThat(LargestError.of(function)).isNotEmpty();
        assertThat(ErrorProfile.of(function)).isPresent();
        List<ErrorBound.Inputs> bounded =
                function.bounds().stream().map(ErrorBound::inputs).toList();
        assertThat(LargestError.of(function).stream().map(LargestError::inputs))
                .containsAll(bounded);
    }

    @ParameterizedTest
    @MethodSource("stored")
    void isWhatTheFunctionMakesThere(LargestError error) {
        assertThat(result(error)).isEqualTo(error.result());
        assertThat(
                        ErrorTables.error(
                                error.function(),
                                error.measure(),
                                error.operands(),
                                error.result()))
                .isCloseTo(error.largest(), Percentage.withPercentage(1e-6));
    }

    @Test
    void tablesAreWrittenAsTheyAreRead() throws IOException {
        assertThat(stored().map(ErrorTables::line)).containsExactlyElementsOf(lines("errors.tsv"));
        assertThat(lines("profiles.tsv"))
                .allSatisfy(
                        line -> {
                            String opcode = line.substring(0, line.indexOf('\t'));
                            ApproximateFunction function =
                                    ApproximateFunction.of(opcode).orElseThrow();
                            assertThat(ErrorProfile.of(function).map(ErrorTables::line))
                                    .contains(line);
                        });
    }

    private static List<String> lines(String table) throws IOException {
        try (InputStream in =
                Objects.requireNonNull(LargestError.class.getResourceAsStream(table))) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .toList();
        }
    }

    private static long result(LargestError error) {
        ApproximateFunction function = error.function();
        if (function.real().isEmpty()) {
            float result =
                    InputSpace.division(function)
                            .of(
                                    Float.intBitsToFloat(error.operands().getFirst().intValue()),
                                    Float.intBitsToFloat(error.operands().getLast().intValue()));
            return Integer.toUnsignedLong(Float.floatToRawIntBits(result));
        }
        long operand = error.operands().getFirst();
        boolean wide = function.format() == FloatFormat.F64;
        int number = (int) (wide ? operand >>> 32 : operand);
        InputSpace space =
                Arrays.stream(ErrorSurvey.spaces(function))
                        .filter(one -> !wide || one.word(number) == operand)
                        .findFirst()
                        .orElseThrow();
        long[] results = new long[16];
        space.model().results(number, results);
        return wide ? results[0] : results[0] & (1L << function.format().bits()) - 1;
    }

    @ParameterizedTest
    @EnumSource(names = ".*(X2|DIV).*", mode = EnumSource.Mode.MATCH_NONE)
    void areFoundAgainWhereTheyLie(ApproximateFunction function) {
        LargestError stored = LargestError.of(function).getFirst();
        ErrorSurvey survey = new ErrorSurvey(function);
        FloatFormat format = function.format();
        long operand = stored.operands().getFirst();
        int block = (int) (operand >>> format.fractionBits());
        long fraction = operand & (1L << format.fractionBits()) - 1;
        int part = (int) (fraction * survey.parts() >>> format.fractionBits());

        ErrorSurvey.Found found = survey.part(block, part);

        assertThat(found.operand[0]).isEqualTo(stored.operands().getFirst());
        assertThat(found.result[0]).isEqualTo(stored.result());
        assertThat(found.largest[0]).isCloseTo(stored.largest(), Percentage.withPercentage(1e-4));
    }

    /// The manual promises 2^-20.5 for the cosine and 2^-8 for the tangent; an H100 has more. By
    /// mpmath 1.3.0 with 50 digits: 2^-20.4269 and 2^-7.99991.
    @Test
    void onlyTwoFunctionsExceedTheManual() {
        assertThat(LargestError.all().stream().filter(LargestError::exceeds))
                .extracting(error -> error.function().opcode() + " " + error.hex(error.result()))
                .containsExactly(
                        "ex2.approx.f16 0000",
                        "cos.approx.f32 3e3f198d",
                        "cos.approx.ftz.f32 3e3f198d",
                        "tanh.approx.bf16 3f21");
    }
}
