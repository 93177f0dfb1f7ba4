package dev.heddle.vm.launch;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.jr.ob.JSON;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

@DisplayName("docs/launch.schema.json")
final class LaunchSchemaTest {
    private static final Map<?, ?> SCHEMA = schema();

    private static Map<?, ?> schema() {
        try {
            return JSON.std.mapFrom(Files.readString(Path.of("..", "docs", "launch.schema.json")));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void everyLaunchFileOfTheRepositoryConforms() throws IOException {
        int files = 0;
        for (String folder : List.of("corpus", "examples")) {
            try (Stream<Path> all = Files.walk(Path.of("..", folder))) {
                for (Path file :
                        all.filter(one -> one.toString().matches(".*/launch[^/]*[.]json"))
                                .toList()) {
                    Object launch = JSON.std.anyFrom(Files.readString(file));
                    assertThat(complaint(SCHEMA, launch, "")).as(file.toString()).isNull();
                    files++;
                }
            }
        }
        assertThat(files).isGreaterThan(100);
    }

    @Test
    void itHasTheFieldsOfTheReader() {
        Set<String> fields = new TreeSet<>(LaunchFileReader.OF_A_LAUNCH);
        assertThat(names("launch")).isEqualTo(fields);
        fields.addAll(LaunchFileReader.OF_THE_FILE);
        assertThat(names("")).isEqualTo(fields);
    }

    private static Set<String> names(String definition) {
        Map<?, ?> of =
                definition.isEmpty() ? SCHEMA : (Map<?, ?>) get(get(SCHEMA, "$defs"), definition);
        Set<String> names = new TreeSet<>();
        ((Map<?, ?>) get(of, "properties")).keySet().forEach(name -> names.add((String) name));
        return names;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    {"grid":[1],"block":[1],"blok":3}                             | false
                    {"grid":[1,1,1,1],"block":[1]}                                | false
                    {"grid":[1],"args":[{"s33":1}]}                               | false
                    {"grid":[1],"args":[{"bytes":"00","at":{"0":"q+8"}}]}         | true
                    {"grid":[1],"args":[{"bytes":"00","at":{"0":"q+x"}}]}         | false
                    {"grid":[1],"check":["race"]}                                 | false
                    {"grid":[1],"variables":{"f":{"file":"f.npy"},"n":{"s32":3}}} | true
                    {"launches":[{"entry":"a","grid":[1],"block":[1]}]}           | true
                    {"launches":[]}                                               | false
                    {"expect":[{"buffer":"a","file":"a.npy","within":{"absolute":1e-5}}]} | true
                    {"expect":[{"buffer":"a","file":"a.npy","within":{"ulps":1,"relative":1}}]} | false
                    """)
    void itTakesAndRefuses(String json, boolean conforms) throws IOException {
        assertThat(complaint(SCHEMA, JSON.std.anyFrom(json), "") == null).isEqualTo(conforms);
    }

    // As much of JSON Schema as the file uses.

    private static Object get(Object map, String name) {
        return java.util.Objects.requireNonNull(((Map<?, ?>) map).get(name), name);
    }

    private static @Nullable String complaint(Map<?, ?> schema, Object value, String at) {
        if (schema.get("$ref") instanceof String ref) {
            Object definition = get(get(SCHEMA, "$defs"), ref.substring("#/$defs/".length()));
            return complaint((Map<?, ?>) definition, value, at);
        }
        if (schema.get("anyOf") instanceof List<?> ways) {
            for (Object way : ways) {
                if (complaint((Map<?, ?>) way, value, at) == null) {
                    return null;
                }
            }
            return at + ": fits none of the ways";
        }
        if (schema.get("enum") instanceof List<?> values && !values.contains(value)) {
            return at + ": " + value + " is not one of " + values;
        }
        if (schema.get("type") != null && !fits(get(schema, "type"), value)) {
            return at + ": " + value + " is no " + schema.get("type");
        }
        return switch (value) {
            case Map<?, ?> map -> object(schema, map, at);
            case List<?> list -> list(schema, list, at);
            case Number number -> number(schema, number.doubleValue(), at);
            case String text ->
                    schema.get("pattern") instanceof String pattern && !text.matches(pattern)
                            ? at + ": " + text
                            : null;
            default -> null;
        };
    }

    private static boolean fits(Object type, Object value) {
        if (type instanceof List<?> types) {
            return types.stream().anyMatch(one -> fits(one, value));
        }
        return switch ((String) type) {
            case "object" -> value instanceof Map;
            case "array" -> value instanceof List;
            case "string" -> value instanceof String;
            case "boolean" -> value instanceof Boolean;
            case "integer" ->
                    value instanceof Number n && n.doubleValue() == Math.rint(n.doubleValue());
            default -> value instanceof Number;
        };
    }

    private static @Nullable String number(Map<?, ?> schema, double value, String at) {
        boolean small =
                schema.get("minimum") instanceof Number least && value < least.doubleValue();
        boolean large = schema.get("maximum") instanceof Number most && value > most.doubleValue();
        return small || large ? at + ": " + value : null;
    }

    private static @Nullable String list(Map<?, ?> schema, List<?> list, String at) {
        if (schema.get("minItems") instanceof Number least && list.size() < least.intValue()
                || schema.get("maxItems") instanceof Number most && list.size() > most.intValue()) {
            return at + ": " + list.size() + " items";
        }
        for (int i = 0; i < list.size(); i++) {
            if (schema.get("items") instanceof Map<?, ?> items) {
                String wrong = complaint(items, list.get(i), at + "[" + i + "]");
                if (wrong != null) {
                    return wrong;
                }
            }
        }
        return null;
    }

    private static @Nullable String object(Map<?, ?> schema, Map<?, ?> map, String at) {
        List<Object> required = new ArrayList<>();
        if (schema.get("required") instanceof List<?> names) {
            required.addAll(names);
        }
        if (!map.keySet().containsAll(required)
                || schema.get("minProperties") instanceof Number least
                        && map.size() < least.intValue()
                || schema.get("maxProperties") instanceof Number most
                        && map.size() > most.intValue()) {
            return at + ": fields " + map.keySet();
        }
        for (Map.Entry<?, ?> field : map.entrySet()) {
            Object known =
                    schema.get("properties") instanceof Map<?, ?> properties
                            ? properties.get(field.getKey())
                            : null;
            Object allowed = known == null ? schema.get("additionalProperties") : known;
            String place = at + "." + field.getKey();
            if (Boolean.FALSE.equals(allowed)) {
                return place + " is unknown";
            }
            String wrong =
                    allowed instanceof Map<?, ?> sub && field.getValue() != null
                            ? complaint(sub, field.getValue(), place)
                            : null;
            if (wrong != null) {
                return wrong;
            }
        }
        return null;
    }
}
