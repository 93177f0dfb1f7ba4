package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import javax.xml.parsers.DocumentBuilderFactory;

@DisplayName("findings for other programs: --json, --sarif, --junit-xml")
final class FindingReportsTest {
    private static final String FOLDER = "../examples/broken/race-between-warps/";
    private static final List<String> FIELDS =
            List.of(
                    "verdict",
                    "severity",
                    "rule",
                    "section",
                    "place",
                    "line",
                    "column",
                    "source",
                    "message",
                    "remedy",
                    "where",
                    "count",
                    "notes");

    private static final String PTX =
            """
            .version 8.0
            .target sm_90
            .address_size 64
            .file 1 "kernels/add one.cu"
            .visible .entry k()
            {
            .reg .b32 %r<4>;
            .loc 1 7 3
            add.u32 %r1, %r2;
            ret;
            }
            """;

    @TempDir Path folder;

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(@Nullable Object value) {
        return (Map<String, Object>) Objects.requireNonNull(value);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> first(@Nullable Object list) {
        return ((List<Map<String, Object>>) Objects.requireNonNull(list)).getFirst();
    }

    private static Map<String, Object> path(Map<String, Object> from, String... names) {
        Map<String, Object> at = from;
        for (String name : names) {
            at = at.get(name) instanceof List<?> list ? first(list) : map(at.get(name));
        }
        return at;
    }

    @Test
    @DisplayName("check and run give findings the same fields, notes included")
    void sameFields() throws Exception {
        Path file = Files.writeString(folder.resolve("k.ptx"), PTX);
        Map<String, Object> checked =
                map(Json.parse(Ran.heddle("check", file.toString(), "--json").out()));
        Map<String, Object> found = first(checked.get("findings"));
        assertThat(found.keySet()).containsExactlyElementsOf(FIELDS);
        assertThat(found)
                .containsEntry("rule", "wrong-operand-count")
                .containsEntry("line", 9)
                .containsEntry("source", "kernels/add one.cu:7");
        assertThat(Ran.heddle("check", file.toString()).out())
                .contains("source: kernels/add one.cu:7\n");
        Map<String, Object> ran =
                map(Json.parse(Ran.heddle("run", FOLDER + "launch.json", "--json").out()));
        Map<String, Object> race = first(ran.get("findings"));
        assertThat(race.keySet()).containsExactlyElementsOf(FIELDS);
        assertThat(race).containsEntry("rule", "data-race").containsEntry("severity", "error");
        assertThat(race.get("remedy")).asString().contains("Put a barrier");
        assertThat(first(race.get("notes"))).containsKeys("message", "place", "line", "source");
    }

    /// What SARIF 2.1.0 demands: version (3.13.2), runs (3.13.4), tool.driver.name (3.19.8), the
    /// message of a result (3.27.11) and that rule and index agree (3.27.6).
    @Test
    void sarifOfACheck() throws Exception {
        Path file = Files.writeString(folder.resolve("k.ptx"), PTX);
        Path log = folder.resolve("out.sarif");
        assertThat(Ran.heddle("check", file.toString(), "--sarif", log.toString()).code()).isOne();
        Map<String, Object> sarif = map(Json.parse(Files.readString(log)));
        assertThat(sarif).containsEntry("version", "2.1.0");
        assertThat(path(sarif, "runs", "invocations"))
                .containsEntry("executionSuccessful", true)
                .containsEntry("exitCode", 1);
        assertThat(path(sarif, "runs", "tool", "driver")).containsEntry("name", "Heddle");
        assertThat(path(sarif, "runs", "tool", "driver", "rules"))
                .containsEntry("id", "wrong-operand-count");
        Map<String, Object> result = path(sarif, "runs", "results");
        assertThat(result)
                .containsEntry("ruleId", "wrong-operand-count")
                .containsEntry("ruleIndex", 0)
                .containsEntry("level", "error");
        assertThat(path(result, "message")).containsKey("text");
        Map<String, Object> place = path(result, "locations", "physicalLocation");
        assertThat(path(place, "artifactLocation")).containsEntry("uri", "kernels/add%20one.cu");
        assertThat(path(place, "region")).containsEntry("startLine", 7);
        Map<String, Object> ptx = path(result, "relatedLocations", "physicalLocation", "region");
        assertThat(ptx).containsEntry("startLine", 9).containsEntry("startColumn", 1);
    }

    @Test
    void sarifAndJunitOfLaunches() throws Exception {
        Path log = folder.resolve("out.sarif");
        Path tests = folder.resolve("tests.xml");
        Ran ran =
                Ran.heddle(
                        "run",
                        FOLDER + "launch.json",
                        "../examples/broken/race-between-warps/nothing.json",
                        "--sarif",
                        log.toString(),
                        "--junit-xml",
                        tests.toString());
        assertThat(ran.code()).isEqualTo(2);
        Map<String, Object> sarif = map(Json.parse(Files.readString(log)));
        assertThat(path(sarif, "runs", "results")).containsEntry("ruleId", "data-race");
        assertThat(path(sarif, "runs", "invocations"))
                .containsEntry("executionSuccessful", false)
                .containsEntry("exitCode", 2);
        Document document =
                DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(tests.toFile());
        assertThat(document.getDocumentElement().getAttribute("tests")).isEqualTo("2");
        assertThat(document.getDocumentElement().getAttribute("failures")).isEqualTo("1");
        assertThat(document.getDocumentElement().getAttribute("errors")).isEqualTo("1");
        assertThat(document.getElementsByTagName("failure").item(0).getTextContent())
                .contains("rule: data-race");
    }

    @Test
    @DisplayName("--report-all counts, --suppress passes over: told in every form, exit code 0")
    void knownFindings() throws Exception {
        Path known =
                Files.writeString(
                        folder.resolve("known.txt"),
                        "data-race at=race-between-warps.cu:8\n"
                                + "data-race at=race-between-warps.cu:10\n"
                                + "out-of-bounds\n");
        Path sarif = folder.resolve("log.sarif");
        Ran ran =
                Ran.heddle(
                        "run",
                        FOLDER + "launch.json",
                        "--report-all",
                        "--suppress",
                        known.toString(),
                        "--sarif",
                        sarif.toString(),
                        "--json");
        assertThat(ran.code()).isZero();
        Map<String, Object> object = map(Json.parse(ran.out()));
        assertThat((List<?>) object.get("findings")).isEmpty();
        assertThat(first(object.get("suppressed")))
                .containsEntry("rule", "data-race")
                .containsEntry("suppression", "data-race at=race-between-warps.cu:8")
                .containsEntry("count", 32);
        assertThat(String.valueOf(object.get("unused_suppressions")))
                .contains("known.txt:3: not used: out-of-bounds");
        Map<String, Object> result =
                path(map(Json.parse(Files.readString(sarif))), "runs", "results");
        assertThat(result).containsEntry("occurrenceCount", 32);
        assertThat(first(result.get("suppressions"))).containsEntry("kind", "external");
    }

    @Test
    @DisplayName("--advise gives the counters by the names of the profiler")
    void advice() {
        Ran ran =
                Ran.heddle("run", "../examples/sparse-gemm-f16/launch.json", "--advise", "--json");
        assertThat(ran.code()).isZero();
        assertThat(path(map(Json.parse(ran.out())), "advice", "metrics"))
                .containsKeys(
                        "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
                        "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum");
    }
}
