package dev.heddle.vm.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.ptx.Ptx;
import dev.heddle.ptx.check.BoundModule;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.KernelLaunch;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.MachineKind;
import dev.heddle.vm.Observer;
import dev.heddle.vm.Outcome;
import dev.heddle.vm.report.Finding;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;

/// Kernels whose results follow from their text, run with every field of a launch file.
@DisplayName("What launch files say, a kernel sees")
final class LaunchRunsTest {
    private static final String MODULE =
            """
            .version 8.0
            .target sm_90
            .address_size 64
            .const .align 4 .b8 filter[16] = {9};
            .global .align 4 .u32 factor = 1;
            .global .align 8 .u64 where;
            .extern .shared .align 4 .b8 dynamic[];

            // *p.to = *p.from * factor + filter[1]
            .visible .entry store(.param .align 8 .b8 p[24]) {
              .reg .b32 %r<5>; .reg .b64 %rd<3>;
              ld.param.u64 %rd1, [p];
              ld.param.u64 %rd2, [p+16];
              ld.global.u32 %r1, [%rd1];
              ld.global.u32 %r2, [factor];
              ld.const.u32 %r3, [filter+4];
              mad.lo.u32 %r4, %r1, %r2, %r3;
              st.global.u32 [%rd2], %r4;
              ret;
            }
            // factor = factor + 1; *where = factor
            .visible .entry _ZN2ns4nextIfEEvv() {
              .reg .b32 %r<3>; .reg .b64 %rd<2>;
              ld.global.u32 %r1, [factor];
              add.u32 %r2, %r1, 1;
              st.global.u32 [factor], %r2;
              ld.global.u64 %rd1, [where];
              st.global.u32 [%rd1], %r2;
              ret;
            }
            // The environment registers of a cooperative launch lead to memory of its own.
            .visible .entry meet(.param .u64 out) {
              .reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<6>;
              ld.param.u64 %rd1, [out];
              mov.u32 %r1, %envreg2;
              mov.u32 %r2, %envreg1;
              cvt.u64.u32 %rd2, %r1;
              cvt.u64.u32 %rd3, %r2;
              bfi.b64 %rd4, %rd3, %rd2, 32, 32;
              setp.ne.s64 %p1, %rd4, 0;
              @%p1 bra L;
              trap;
            L:
              atom.global.add.u32 %r3, [%rd4+4], 1;
              atom.global.add.u32 %r3, [%rd1], 1;
              ret;
            }
            .visible .entry shared() {
              .reg .b32 %r<2>; .reg .b64 %rd<2>;
              mov.u64 %rd1, dynamic;
              mov.u32 %r1, 1;
              st.shared.u32 [%rd1], %r1;
              ret;
            }
            // Reads what nobody wrote, beside the end of a buffer, and races in shared memory.
            .visible .entry wrong(.param .u64 in, .param .u64 out) {
              .reg .b32 %r<4>; .reg .b64 %rd<4>;
              .shared .align 4 .b8 cell[4];
              ld.param.u64 %rd1, [in];
              ld.param.u64 %rd2, [out];
              ld.global.u32 %r1, [%rd1];
              st.global.u32 [%rd2], %r1;
              ld.global.u32 %r2, [%rd1+4];
              mov.u32 %r3, %tid.x;
              st.shared.u32 [cell], %r3;
              ld.shared.u32 %r3, [cell];
              ret;
            }
            """;

    static BoundModule module() {
        return BoundModule.of(Ptx.parse(MODULE, "m.ptx"));
    }

    private static Machine machine(MachineKind kind) {
        return kind == MachineKind.INTERPRETER ? Machine.interpreter() : Machine.compiler();
    }

    private static Outcome run(MachineKind kind, String json) {
        LaunchFile file = LaunchFile.parse(json, "l.json");
        return LaunchCheck.of(file, Path.of(""), module()).run(machine(kind)).outcome();
    }

    @ParameterizedTest
    @EnumSource(names = "GPU", mode = EnumSource.Mode.EXCLUDE)
    void addressesVariablesAndLaunchesOverCommonMemory(MachineKind kind) {
        Outcome outcome =
                run(
                        kind,
                        """
                        { "grid":[1], "block":[1],
                          "buffers": [ {"buffer":"in","zeros":8}, {"buffer":"out","poison":64} ],
                          "variables": { "filter": {"bytes":"00000000 05000000"},
                                         "factor": {"u32":40}, "where": {"buffer":"in+4"} },
                          "launches": [
                            {"entry":"ns::next<float>"},
                            {"entry":"next", "variables":{"factor":{"u32":6}}},
                            {"entry":"store", "args":[
                               {"bytes":"00000000000000000000000000000000ffffffffffffffff",
                                "at":{"0":"in+4","16":"out+32"}} ]} ] }
                        """);
        assertThat(outcome.findings()).isEmpty();
        // The second launch makes factor 7 and stores it; the third multiplies: 7 * 7 + 5.
        assertThat(outcome.ints("in")).containsExactly(0, 7);
        assertThat(outcome.ints("out")[8]).isEqualTo(54);
        assertThat(outcome.ints("out")[7]).isEqualTo(0xcdcdcdcd);
        assertThat(outcome.report().total()).isEqualTo(6 + 6 + 8);
    }

    @ParameterizedTest
    @EnumSource(names = "GPU", mode = EnumSource.Mode.EXCLUDE)
    @DisplayName("the same from Java")
    void java(MachineKind kind) {
        List<Kernel> kernels = Kernel.of(module(), List.of("next", "store"));
        Launch first =
                Launch.grid(1)
                        .with(Argument.zeros("in", 8))
                        .setting("factor", Argument.s32(6))
                        .setting("where", new Argument.Address("in", 4));
        byte[] bytes = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN).array();
        Launch second =
                Launch.grid(1)
                        .passing(
                                new Argument.Structure(
                                        bytes,
                                        new java.util.TreeMap<>(
                                                java.util.Map.of(
                                                        0, new Argument.Address("in", 4),
                                                        16, new Argument.Address("in", 0)))));
        Outcome outcome =
                machine(kind)
                        .run(
                                List.of(
                                        new KernelLaunch(kernels.get(0), first),
                                        new KernelLaunch(kernels.get(1), second)),
                                Observer.NONE);
        assertThat(outcome.findings()).isEmpty();
        assertThat(outcome.ints("in")).containsExactly(49, 7);
    }

    @ParameterizedTest
    @EnumSource(names = "GPU", mode = EnumSource.Mode.EXCLUDE)
    void aVariableMayHoldTheAddressOfABufferOfItsOwn(MachineKind kind) {
        Launch launch =
                Launch.grid(1)
                        .setting("factor", Argument.s32(6))
                        .setting("where", Argument.zeros("there", 4));
        Kernel next = Kernel.of(module(), List.of("next")).getFirst();
        Outcome outcome = machine(kind).run(next, launch);
        assertThat(outcome.findings()).isEmpty();
        assertThat(outcome.ints("there")).containsExactly(7);
    }

    @ParameterizedTest
    @EnumSource(names = "GPU", mode = EnumSource.Mode.EXCLUDE)
    void aCooperativeLaunchHasAPlaceToMeet(MachineKind kind) {
        String json =
                """
                { "entry":"meet", "grid":[3], "block":[32], "cooperative":true,
                  "args":[{"buffer":"out","zeros":4}] }
                """;
        assertThat(run(kind, json).ints("out")).containsExactly(96);
        List<Finding> findings = run(kind, json.replace("true", "false")).findings();
        assertThat(findings.getFirst().notes())
                .extracting(Finding.Note::message)
                .anySatisfy(note -> assertThat(note).contains("grid.sync()", "--cooperative"));
    }

    @ParameterizedTest
    @EnumSource(names = "GPU", mode = EnumSource.Mode.EXCLUDE)
    void sharedMemoryThatTheLaunchForgotIsHintedAt(MachineKind kind) {
        String json = "{ \"entry\":\"shared\", \"grid\":[1], \"block\":[1], \"shared\":%d }";
        assertThat(run(kind, json.formatted(4)).findings()).isEmpty();
        assertThat(run(kind, json.formatted(0)).findings().getFirst().notes())
                .extracting(Finding.Note::message)
                .anySatisfy(
                        note ->
                                assertThat(note)
                                        .contains(".extern .shared dynamic", "--shared BYTES"));
    }

    /// One kernel makes three mistakes; each group of checks finds its own, in the order of the
    /// text.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    "all"                                        | of which nobody wrote byte 0
                    ["definedness"]                              | of which nobody wrote byte 0
                    ["memory"]                                   | behind the end of in
                    ["races"]                                    | races with thread
                    ["memory", "races"]                          | behind the end of in
                    ["warp", "metadata", "async"]                | -
                    []                                           | -
                    "none"                                       | -
                    """)
    void eachGroupOfChecksFindsItsOwn(String check, String message) {
        for (MachineKind kind : List.of(MachineKind.INTERPRETER, MachineKind.COMPILER)) {
            List<Finding> findings =
                    run(
                                    kind,
                                    """
                                    { "entry":"wrong", "grid":[1], "block":[64], "check":%s,
                                      "args":[{"buffer":"in","poison":4},{"buffer":"out","zeros":4}] }
                                    """
                                            .formatted(check))
                            .findings();
            if (message.equals("-")) {
                assertThat(findings).as("%s on the %s", check, kind).isEmpty();
            } else {
                assertThat(findings).as("%s on the %s", check, kind).hasSize(1);
                assertThat(findings.getFirst().message()).contains(message);
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    "variables":{"factor":{"u64":1}}      | variable factor has 4 bytes, its value 8
                    "variables":{"where":{"u32":1}}       | variable where has 8 bytes, its value 4
                    "variables":{"filter":{"zeros":20}}   | variable filter has 16 bytes, its value 20
                    "variables":{"fact0r":{"u32":1}}      | no variable fact0r; this module has
                    "variables":{"where":{"buffer":"b+9"}},"buffers":[{"buffer":"b","zeros":8}] | address b+9: b has 8 bytes
                    """)
    void aVariableThatCannotBeSetIsRefused(String fields, String message) {
        assertThatThrownBy(
                        () ->
                                run(
                                        MachineKind.INTERPRETER,
                                        "{\"entry\":\"shared\",\"shared\":4,\"grid\":[1],\"block\":[1],"
                                                + fields
                                                + "}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }
}
