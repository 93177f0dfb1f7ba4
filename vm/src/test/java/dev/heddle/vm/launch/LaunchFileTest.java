package dev.heddle.vm.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Launch;
import dev.heddle.vm.MachineKind;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

@DisplayName("Fields of a launch file")
final class LaunchFileTest {
    private static LaunchFile parse(String fields) {
        return LaunchFile.parse("{\"grid\":[1],\"block\":[32]," + fields + "}", "l.json");
    }

    private static LaunchFile.Start start(String fields) {
        return parse(fields).starts().getFirst();
    }

    @Test
    void aStructureHasAddressesAtItsOffsets() {
        LaunchFile file =
                parse(
                        """
                        "buffers": [ {"buffer":"q","zeros":64}, {"buffer":"o","poison":512} ],
                        "args": [ {"bytes":"0000000000000000 07000000 00000000 0000000000000000",
                                   "at": {"0":"q", "16":"o+256"}} ]
                        """);
        Argument.Structure structure =
                (Argument.Structure) file.starts().getFirst().arguments().getFirst();
        assertThat(structure.bytes()).hasSize(24).contains(7);
        assertThat(structure.at())
                .containsExactlyEntriesOf(
                        new java.util.TreeMap<>(
                                Map.of(
                                        0, new Argument.Address("q", 0),
                                        16, new Argument.Address("o", 256))));
        assertThat(file.buffers()).containsOnlyKeys("q", "o");
    }

    @Test
    void aTensorMapIsSpelledWithTheInnermostAxisFirst() {
        String map =
                """
                {"tensorMap":"a+128", "format":"f16", "shape":[360,200], "strides":[720],
                 "box":[64,128], "elementStrides":[1,2], "swizzle":128, "interleave":"none",
                 "fill":"nan"}
                """;
        String buffers = "\"buffers\":[{\"buffer\":\"a\",\"zeros\":144128}],";
        Argument.TensorMap expected =
                new Argument.TensorMap(
                        new Argument.Address("a", 128),
                        dev.heddle.formats.FloatFormat.F16,
                        List.of(360L, 200L),
                        List.of(720L),
                        List.of(64, 128),
                        List.of(1, 2),
                        128,
                        0,
                        Argument.TensorMap.Fill.NAN);
        assertThat(start(buffers + "\"args\":[" + map + "]").arguments()).containsExactly(expected);
        Argument.Structure inside =
                (Argument.Structure)
                        start(
                                        buffers
                                                + "\"args\":[{\"bytes\":\""
                                                + "00".repeat(192)
                                                + "\",\"at\":{\"64\":"
                                                + map
                                                + "}}]")
                                .arguments()
                                .getFirst();
        assertThat(inside.at()).containsEntry(64, expected);
    }

    @Test
    void aTensorMapMayDescribeItsOwnBufferAndIsPackedThen() {
        LaunchFile file =
                parse(
                        """
                        "args": [ {"tensorMap":"a","file":"a.npy","format":"f16","shape":[192,64,2],
                                   "box":[64,64,1]} ]
                        """);
        Argument.TensorMap map =
                (Argument.TensorMap) file.starts().getFirst().arguments().getFirst();
        assertThat(map.strides()).containsExactly(384L, 24576L);
        assertThat(map.elementStrides()).containsExactly(1, 1, 1);
        assertThat(file.buffers().get("a")).isInstanceOf(Contents.FromFile.class);
    }

    @Test
    void launchesTakeFromTheFileWhatTheyDoNotSay() {
        LaunchFile file =
                parse(
                        """
                        "shared": 64, "variables": {"n": {"s32":3}},
                        "launches": [ {"entry":"a", "block":[64]},
                                      {"entry":"b", "cluster":[2,1,1], "grid":[4,2],
                                       "cooperative":true, "variables":{"m":{"u8":1}}} ]
                        """);
        LaunchFile.Start a = file.starts().get(0);
        LaunchFile.Start b = file.starts().get(1);
        assertThat(a.entry()).isEqualTo("a");
        assertThat(a.shape().block().x()).isEqualTo(64);
        assertThat(a.shape().dynamicShared()).isEqualTo(64);
        assertThat(a.variables()).containsOnlyKeys("n");
        assertThat(b.shape().block().x()).isEqualTo(32);
        assertThat(b.shape().grid().count()).isEqualTo(8);
        assertThat(b.shape().cooperative()).isTrue();
        assertThat(b.variables()).containsOnlyKeys("m");
    }

    @Test
    void conditionsAreThoseOfAllLaunches() {
        LaunchFile file =
                parse(
                        """
                        "check":["races","memory"], "timeout":2.5, "maxInstructions":1000,
                        "threads":3, "executor":"interpreter"
                        """);
        Launch.Conditions conditions = file.conditions();
        assertThat(conditions.checks())
                .containsExactlyInAnyOrder(RuleGroup.RACES, RuleGroup.MEMORY);
        assertThat(conditions.limits().time()).isEqualTo(Duration.ofMillis(2500));
        assertThat(conditions.limits().steps()).isEqualTo(1000);
        assertThat(conditions.threads()).isEqualTo(3);
        assertThat(file.machine()).isEqualTo(MachineKind.INTERPRETER);
        assertThat(parse("\"check\":\"none\"").conditions().checks()).isEmpty();
        assertThat(parse("\"check\":\"all\"").conditions().checks()).isEqualTo(RuleGroup.CHECKS);
        assertThat(parse("\"note\":\"\"").conditions().limits().time())
                .isEqualTo(Duration.ofMinutes(1));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    "args":[{"s32":1,"u8":2}]                        | l.json:1:34: field args[0] has s32 and u8: expected one value, a buffer, a tensorMap, a texture, a surface or bytes
                    "args":[{"s33":1}]                               | l.json:1:41: field args[0].s33 is unknown: expected one of
                    "args":[{"u8":300}]                              | l.json:1:40: field args[0].u8: 300 does not fit in u8: 0 to 255
                    "args":[{"bytes":"0"}]                           | field args[0].bytes is "0": expected hexadecimal digits, two for each byte
                    "args":[{"bytes":"00","at":{"0":"q"}}]           | field args[0].at: q at 0 takes 8 bytes; the structure ends at 1
                    "args":[{"bytes":"00","at":{"0x8":"q"}}]         | field args[0].at.0x8: the name of a field is an offset in bytes, in decimal digits
                    "args":[{"bytes":"0000000000000000","at":{"0":"q+0x8"}}] | field args[0].at.0 is "q+0x8": expected a buffer, as NAME or NAME+OFFSET with a decimal number of bytes
                    "args":[{"buffer":"c","poison":true}]            | field args[0].poison is true: expected a number of bytes, or true with a shape
                    "args":[{"buffer":"c","zeros":8,"poison":8}]     | field args[0]: expected one of file, zeros, poison, random, valuesOf and metadataOf, found zeros and poison
                    "args":[{"buffer":"c","zeros":8,"format":"f99"}] | field args[0].format is "f99": expected one of
                    "args":[{"buffer":"c","zeros":true,"shape":[0]}] | field args[0].shape is [0]: expected a whole number from 1 to
                    "args":[{"buffer":"c","zeros":8},{"buffer":"c","zeros":16}] | buffer c was described already, and in another way
                    "args":[{"buffer":"c"}]                          | buffer c is nowhere described
                    "args":{}                                        | field args is an object: expected a list
                    "args":[{"tensorMap":"a","file":"a.npy","format":"f16","shape":[8,8],"box":[8]}] | field args[0].box is [8]: expected 2 extents, as the shape has
                    "args":[{"texture":"a","format":"f64","shape":[8]}] | field args[0].format is "f64": expected u8 u16 u32 s8 s16 s32 f16 or f32
                    "args":[{"texture":"a","format":"u8","shape":[8],"filter":"linear"}] | field args[0].filter is "linear": expected point: integers are filtered with read normalized alone
                    "args":[{"texture":"a","format":"f32","shape":[8],"address":"repeat"}] | field args[0].address is "repeat": expected wrap, clamp, mirror or border
                    "args":[{"surface":"a","format":"u8","shape":[8],"channels":3}] | field args[0].channels is 3: expected 1, 2 or 4
                    "args":[{"tensorMap":"a","file":"a.npy","format":"f16","shape":[8,8],"box":[8,8],"swizzle":48}] | field args[0].swizzle is 48: expected none or 32, 64, 128
                    "buffers":[{"zeros":8}]                          | field buffers[0].buffer is missing: expected a name
                    "variables":{"n":{"poison":4}}                   | field variables.n.poison is 4: expected a value
                    "launches":[]                                    | field launches is []: expected at least one launch
                    "launches":[{"ptx":"a.ptx"}]                     | field launches[0].ptx is unknown: expected one of args block
                    "check":["race"]                                 | field check is ["race"]: expected all, none, or a list of races, memory, definedness, warp, metadata, async
                    "cluster":[2,1,1,1]                              | field cluster is [2, 1, 1, 1]: expected one to three extents
                    "cooperative":1                                  | field cooperative is 1: expected true or false
                    "timeout":0                                      | field timeout is 0: expected a number of seconds above 0
                    "shared":1e9                                     | field shared is 1E+9: expected a whole number from 0 to 1048576
                    "block":[1]                                      | l.json:1:26: field block is there twice
                    "save":{"c":"c.npy"}                             | field save.c is unknown
                    "args":[{"buffer":"c","zeros":8}],"expect":[{"buffer":"c","file":"c.npy","within":{"ulps":1,"relative":1}}] | field expect[0].within is an object: expected ulps alone
                    "args":[{"buffer":"c","zeros":8}],"expect":[{"buffer":"c","file":"c.npy","within":{"absolute":-1}}] | field expect[0].within.absolute is -1: expected a number of at least 0
                    """)
    void aMistakeIsNamedWithItsPlaceItsFieldAndWhatIsAllowed(String fields, String message) {
        assertThatThrownBy(() -> parse(fields))
                .isInstanceOf(LaunchFileException.class)
                .hasMessageStartingWith("l.json:1:")
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    {                | l.json:1:2: no JSON: Unexpected end-of-input
                    {"grid":[1,}     | l.json:1:12: no JSON: Unexpected character ('}'
                    []               | l.json:1:1: expected a JSON object, found []
                    {} {}            | l.json:1:4: no JSON: something follows the object
                    {"block":[1]}    | l.json:1:1: field grid is missing: expected a list
                    """)
    void aTextThatIsNoLaunchFileIsNamedWithItsPlace(String text, String message) {
        assertThatThrownBy(() -> LaunchFile.parse(text, "l.json"))
                .isInstanceOf(LaunchFileException.class)
                .hasMessageStartingWith(message)
                .hasMessageNotContaining("REDACTED");
    }

    @Test
    @DisplayName("numbers with enormous exponents are refused, and at once")
    void exponentsAreBounded() {
        String zeros = "0".repeat(120);
        assertThatThrownBy(
                        () ->
                                LaunchFile.parse(
                                        "{\"grid\":[1e1" + zeros + "],\"block\":[1]}", "l.json"))
                .isInstanceOf(LaunchFileException.class)
                .hasMessageStartingWith("l.json:1:10: no launch file: a number with an exponent");
        for (String number : new String[] {"1e999999999", "1e-999999999", "-7e2147483647", "1.5"}) {
            assertThatThrownBy(() -> Scalar.parse("s32", number))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith(number + ": expected a number of type s32");
        }
        assertThat(Scalar.parse("s32", "0e-999999999").bytes()).containsOnly(0);
        assertThat(Scalar.parse("s32", "12e1").bytes()).containsExactly(120, 0, 0, 0);
    }

    @Test
    void nestingIsBounded() {
        assertThatThrownBy(
                        () ->
                                LaunchFile.parse(
                                        "{\"a\":".repeat(200) + "1" + "}".repeat(200), "l.json"))
                .hasMessageContaining("nested too deeply");
    }

    @Test
    @DisplayName("no file is read before a launch file is known to be right")
    void filesAreReadLater() {
        LaunchFile file =
                parse("\"entry\":\"store\",\"args\":[{\"buffer\":\"a\",\"file\":\"absent.npy\"}]");
        assertThatThrownBy(() -> LaunchCheck.of(file, Path.of("nowhere"), LaunchRunsTest.module()))
                .isInstanceOf(LaunchFileException.class)
                .hasMessageStartingWith("l.json:1:")
                .hasMessageContaining("absent.npy");
    }
}
