package dev.heddle.vm.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.jr.ob.JSON;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

@DisplayName("JSON texts are read as RFC 8259 says")
final class JsonReaderTest {
    private static final String TEXT =
            """
            {"a": [1, -0.5e+3, 0, 12345678901234567890], "b\\u00e9\\n": {"c": true, "d": null},
             "e": "x \\" \\\\ \\/ y", "f": [], "g": {}, "h": [false, [[]], "\\ud83d\\ude00"]}
            """;
    private static final String PIECES = "{}[]:,\"\\/ \n\r\t0123456789.-+eEtrufalsn\u00e9\u0001ax";

    private static JsonValue read(String text) {
        return new JsonReader(text, "l.json").read();
    }

    @Test
    void everyKindOfValueIsRead() {
        assertThat(plain(read(TEXT))).isEqualTo(jackson(TEXT));
    }

    @Test
    @DisplayName("mutants of a text are taken and refused as Jackson does")
    void mutantsAreJudgedAsJacksonDoes() {
        Random random = new Random(19);
        int taken = 0;
        for (int i = 0; i < 4_000; i++) {
            String text = mutant(random);
            Object expected = jackson(text);
            Object found;
            try {
                found = plain(read(text));
                taken++;
            } catch (LaunchFileException e) {
                assertThat(e).hasMessageStartingWith("l.json:");
                // Two fields of one name and enormous exponents are refused here alone.
                String why = String.valueOf(e.getMessage());
                found = why.endsWith("there twice") || why.contains("exponent") ? expected : null;
            }
            assertThat(found).as(text).isEqualTo(expected);
        }
        assertThat(taken).isBetween(400, 3_600);
    }

    private static String mutant(Random random) {
        StringBuilder text = new StringBuilder(TEXT);
        for (int i = random.nextInt(3); i >= 0; i--) {
            int at = random.nextInt(text.length());
            char piece = PIECES.charAt(random.nextInt(PIECES.length()));
            switch (random.nextInt(3)) {
                case 0 -> text.setCharAt(at, piece);
                case 1 -> text.insert(at, piece);
                default -> text.deleteCharAt(at);
            }
        }
        return text.toString();
    }

    /// What Jackson reads, with numbers as doubles; null where it refuses the text.
    private static @Nullable Object jackson(String text) {
        try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), text)) {
            parser.nextToken();
            parser.skipChildren();
            return parser.nextToken() == null ? doubles(JSON.std.anyFrom(text)) : null;
        } catch (JacksonException e) {
            return null;
        }
    }

    private static Object doubles(@Nullable Object value) {
        return switch (value) {
            case null -> "null";
            case Map<?, ?> map -> {
                Map<Object, Object> doubles = new LinkedHashMap<>();
                map.forEach((name, one) -> doubles.put(name, doubles(one)));
                yield doubles;
            }
            case List<?> list -> list.stream().map(JsonReaderTest::doubles).toList();
            case Number number -> number.doubleValue();
            default -> value;
        };
    }

    private static Object plain(JsonValue read) {
        return switch (read.value()) {
            case Map<?, ?> map -> {
                Map<Object, Object> plain = new LinkedHashMap<>();
                map.forEach((name, one) -> plain.put(name, plain((JsonValue) one)));
                yield plain;
            }
            case List<?> list -> list.stream().map(one -> plain((JsonValue) one)).toList();
            case JsonNumber number -> number.doubleValue();
            case Object value when value.equals(JsonValue.NULL) -> "null";
            case Object value -> value;
        };
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    {"a": 01}        | 1:8: no JSON: Unexpected character ('1'): expected the end of the number
                    {"a": 1.}        | 1:9: no JSON: Unexpected character ('}'): expected a digit
                    {"a": 1e5x}      | 1:10: no JSON: Unexpected character ('x'): expected the end of
                    {"a" 1}          | 1:6: no JSON: Unexpected character ('1'): expected a colon
                    {"a": nul}       | 1:7: no JSON: Unexpected character ('n'): expected a value
                    {"a": [1 2]}     | 1:10: no JSON: Unexpected character ('2'): expected a comma or ]
                    {a: 1}           | 1:2: no JSON: Unexpected character ('a'): expected a name in quotes
                    {"a": "\\x"}     | 1:9: no JSON: Unexpected character ('x'): expected one of
                    {"a": "\\u12g4"} | 1:12: no JSON: Unexpected character ('g'): expected four
                    {"a": "b         | 1:9: no JSON: Unexpected end-of-input: expected the end of
                    """)
    void whatIsWrongIsNamedWithItsPlaceAndWhatIsExpected(String text, String message) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(LaunchFileException.class)
                .hasMessageStartingWith("l.json:" + message);
    }

    @Test
    void everyValueKnowsItsLine() {
        JsonFields fields = JsonFields.parse("{\n \"a\": 1,\r\n\r  \"b\":\n2}", "l.json");
        assertThat(fields.placeOf("a")).isEqualTo("l.json:2:7");
        assertThat(fields.placeOf("b")).isEqualTo("l.json:5:1");
    }

    @Test
    void aNumberIsWholeHoweverItIsWritten() {
        for (String number : List.of("1e3", "1000", "1000.0", "10000e-1", "0.1e4")) {
            assertThat(new JsonNumber(number).whole()).as(number).hasValue(1000);
        }
        assertThat(new JsonNumber("-9223372036854775808").whole()).hasValue(Long.MIN_VALUE);
        for (String number : List.of("9223372036854775808", "1.5", "1e999999999", "1e-99999")) {
            assertThat(new JsonNumber(number).whole()).as(number).isEmpty();
        }
        assertThat(new JsonNumber("0.3").doubleValue())
                .isEqualTo(new BigDecimal("0.3").doubleValue());
    }
}
