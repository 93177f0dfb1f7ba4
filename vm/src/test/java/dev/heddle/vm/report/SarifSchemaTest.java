package dev.heddle.vm.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.ptx.check.Check;
import dev.heddle.vm.JsonSchema;
import dev.heddle.vm.Machine;
import dev.heddle.vm.launch.LaunchCheck;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.jr.ob.JSON;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Logs before the schema of OASIS, whole as they are written.
@DisplayName("SARIF 2.1.0, the schema")
final class SarifSchemaTest {
    private static final String SLIPS =
            """
            .version 8.0
            .target sm_80
            .address_size 64
            .file 1 "kernels/add one.cu"
            .visible .entry k()
            {
            .reg .b32 %r<4>;
            .loc 1 7 3
            mvo.u32 %r1, 5;
            add.u32 %r2, %r1, %r1
            add.u32 %r2, %r1;
            ret;
            }
            """;

    private static JsonSchema schema() throws IOException {
        try (InputStream in =
                Objects.requireNonNull(
                        SarifSchemaTest.class.getResourceAsStream("/sarif/sarif-2.1.0.json"))) {
            return JsonSchema.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    private static String written(SarifLog log) {
        return JSON.std.asString(log.object(1, true));
    }

    /// Code hosts show lines of the repository, which the toolkit's headers are not in.
    @ParameterizedTest
    @CsvSource({
        "'k.cu:5', k.cu:5",
        "'f.h:3, inlined at k.cu:5', f.h:3",
        "'/usr/local/cuda-13.0/bin/../targets/x86_64-linux/include/sm_30.hpp:9, inlined at k.cu:5',"
                + " k.cu:5",
        "'/opt/cuda/include/a.h:1, inlined at /opt/cuda/include/b.h:2, inlined at ..., inlined at"
                + " k.cu:5', k.cu:5",
        "'/opt/cuda/include/a.h:1', file:///opt/cuda/include/a.h:1"
    })
    void theLineThatCodeHostsShow(String source, String shown) {
        FindingRecord.Place place = new FindingRecord.Place(null, source);
        SarifLog log = new SarifLog();
        log.add(
                List.of(
                        new FindingRecord(
                                Rule.DATA_RACE, "", place, 1, "", "", "", List.of(), null, 1)));
        String written = written(log);
        int colon = shown.lastIndexOf(':');
        assertThat(written)
                .contains("\"uri\":\"" + shown.substring(0, colon) + "\"")
                .contains("\"startLine\":" + shown.substring(colon + 1) + "}")
                .containsOnlyOnce("physicalLocation");
    }

    @ParameterizedTest
    @ValueSource(strings = {"k.ptx", "a folder/größe.ptx", "/tmp/k.ptx", "<stdin>"})
    void whatIsFoundInAText(String name) throws IOException {
        SarifLog log = new SarifLog();
        log.add(FindingRecord.of(Check.text(SLIPS, name)));
        String text = written(log);
        assertThat(text).contains("\"fixes\"", "\"relatedLocations\"");
        assertThat(schema().complaint(JSON.std.anyFrom(text))).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"race-between-warps", "out-of-bounds", "divergent-barrier"})
    void whatALaunchFinds(String example) throws IOException {
        Path folder = Path.of("..", "examples", "broken", example);
        Path ptx = folder.resolve(example + ".compute_80.ptx");
        List<Finding> findings =
                LaunchCheck.read(folder.resolve("launch.json"), ptx)
                        .run(Machine.interpreter())
                        .outcome()
                        .findings();
        assertThat(findings).isNotEmpty();
        SarifLog log = new SarifLog();
        log.add(findings.stream().map(FindingRecord::of).toList());
        Suppressions known = Suppressions.parse("data-race\n", "known.txt");
        log.addSuppressed(
                List.of(new Suppressions.Suppressed(known.all().getFirst(), findings.getFirst())));
        assertThat(schema().complaint(JSON.std.anyFrom(written(log)))).isNull();
    }

    @Test
    void nothing() throws IOException {
        assertThat(schema().complaint(JSON.std.anyFrom(written(new SarifLog())))).isNull();
    }

    /// The schema has teeth: each of these is a log with one thing wrong.
    @Test
    void aWrongLogIsRefused() throws IOException {
        SarifLog log = new SarifLog();
        log.add(FindingRecord.of(Check.text(SLIPS, "k.ptx")));
        String text = written(log);
        for (Map.Entry<String, String> slip :
                Map.of(
                                "\"artifactChanges\"", "\"changes\"",
                                "\"level\":\"error\"", "\"level\":\"fatal\"",
                                "\"executionSuccessful\":true", "\"successful\":true",
                                "\"startLine\":9", "\"startLine\":0",
                                "\"version\":\"2.1.0\"", "\"version\":\"2.0.0\"",
                                "\"replacements\":[{", "\"replacements\":[{\"old\":1,")
                        .entrySet()) {
            assertThat(text).contains(slip.getKey());
            Object wrong = JSON.std.anyFrom(text.replace(slip.getKey(), slip.getValue()));
            assertThat(schema().complaint(wrong)).as(slip.getKey()).isNotNull();
        }
    }
}
