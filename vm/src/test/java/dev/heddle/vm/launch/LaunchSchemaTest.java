package dev.heddle.vm.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.vm.JsonSchema;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.jr.ob.JSON;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

@DisplayName("docs/launch.schema.json")
final class LaunchSchemaTest {
    private static final JsonSchema SCHEMA = schema();

    private static JsonSchema schema() {
        try {
            return JsonSchema.of(Files.readString(Path.of("..", "docs", "launch.schema.json")));
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
                    assertThat(SCHEMA.complaint(launch)).as(file.toString()).isNull();
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
        assertThat(names("buffer")).isEqualTo(ArgumentReader.BUFFER);
        assertThat(names("tensorMap")).isEqualTo(TensorMapReader.FIELDS);
        assertThat(names("texture")).isEqualTo(TextureReader.TEXTURE);
        assertThat(names("surface")).isEqualTo(TextureReader.SURFACE);
        Map<?, ?> map = field(field(SCHEMA.document(), "$defs"), "tensorMap");
        Map<?, ?> columns = field(field(field(map, "properties"), "columns"), "properties");
        assertThat(columns.keySet()).isEqualTo(TensorMapReader.COLUMNS);
    }

    private static Set<String> names(String definition) {
        Map<?, ?> schema = SCHEMA.document();
        Map<?, ?> of = definition.isEmpty() ? schema : field(field(schema, "$defs"), definition);
        Set<String> names = new TreeSet<>();
        field(of, "properties").keySet().forEach(name -> names.add((String) name));
        return names;
    }

    private static Map<?, ?> field(Map<?, ?> of, String name) {
        return (Map<?, ?>) Objects.requireNonNull(of.get(name), name);
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
        assertThat(SCHEMA.complaint(JSON.std.anyFrom(json)) == null).isEqualTo(conforms);
    }
}
