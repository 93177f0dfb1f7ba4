package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.isa.rule.Rule;
import dev.heddle.ptx.Parsed;
import dev.heddle.ptx.Ptx;
import dev.heddle.vm.memory.Buffer;
import dev.heddle.vm.memory.GlobalMemory;
import dev.heddle.vm.memory.MemorySnapshot;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.Set;

@DisplayName("A session: memory, variables and heap stay from launch to launch")
final class SessionTest {
    /// Adds `step` (constant memory) to `total` (global memory) and stores it to a buffer.
    private static final String COUNTER =
            """
            .version 8.0
            .target sm_80
            .address_size 64
            .const .align 4 .u32 step = %d;
            .global .align 4 .u32 total = 40;
            .visible .entry add(.param .u64 out) {
                .reg .b32 %%r<4>;
                .reg .b64 %%rd<3>;
                ld.param.u64 %%rd1, [out];
                ld.const.u32 %%r1, [step];
                ld.global.u32 %%r2, [total];
                add.u32 %%r3, %%r1, %%r2;
                st.global.u32 [total], %%r3;
                st.global.u32 [%%rd1], %%r3;
                ret;
            }
            """;

    private static final String HEAP =
            """
            .version 8.0
            .target sm_80
            .address_size 64
            .extern .func (.param .b64 r) malloc (.param .b64 n);
            .extern .func free (.param .b64 p);
            .global .align 8 .u64 kept;
            .visible .entry take(.param .u64 bytes) {
                .reg .pred %p<2>;
                .reg .b32 %r<2>;
                .reg .b64 %rd<3>;
                ld.param.u64 %rd1, [bytes];
                { .param .b64 n; .param .b64 r;
                  st.param.b64 [n], %rd1;
                  call.uni (r), malloc, (n);
                  ld.param.b64 %rd2, [r]; }
                st.global.u64 [kept], %rd2;
                setp.eq.u64 %p1, %rd2, 0;
                @%p1 ret;
                mov.u32 %r1, 7;
                st.u32 [%rd2], %r1;
                ret;
            }
            .visible .entry give(.param .u64 out) {
                .reg .b32 %r<2>;
                .reg .b64 %rd<3>;
                ld.param.u64 %rd1, [out];
                ld.global.u64 %rd2, [kept];
                ld.u32 %r1, [%rd2];
                st.global.u32 [%rd1], %r1;
                { .param .b64 p; st.param.b64 [p], %rd2; call.uni free, (p); }
                ret;
            }
            """;

    private Session session = Machine.compiler().open(new GlobalMemory(64 << 20, true));

    @BeforeEach
    void open() {
        session.close();
        session = Machine.compiler().open(new GlobalMemory(64 << 20, true));
    }

    @AfterEach
    void close() {
        session.close();
    }

    private LoadedModule load(String ptx) {
        Parsed parsed = Ptx.parse(ptx, "session.ptx");
        assertThat(parsed.diagnostics()).isEmpty();
        return session.load(parsed.module(), parsed.source());
    }

    private int add(LoadedModule module) {
        Outcome outcome =
                session.launch(
                        module.kernel("add"),
                        Launch.grid(1).passing(Argument.poison("out", 4)),
                        Observer.NONE);
        assertThat(outcome.findings()).isEmpty();
        return word(session.buffer("out"));
    }

    private static Buffer variable(LoadedModule module, String name) {
        return Objects.requireNonNull(module.variable(name));
    }

    private int word(Buffer buffer) {
        return ByteBuffer.wrap(session.memory().read(buffer))
                .order(ByteOrder.LITTLE_ENDIAN)
                .getInt();
    }

    @Test
    void variablesKeepTheirValues() {
        LoadedModule module = load(COUNTER.formatted(2));
        assertThat(add(module)).isEqualTo(42);
        assertThat(add(module)).isEqualTo(44);
    }

    @Test
    void everyModuleHasVariablesOfItsOwn() {
        LoadedModule first = load(COUNTER.formatted(1));
        LoadedModule second = load(COUNTER.formatted(100));
        assertThat(add(first)).isEqualTo(41);
        assertThat(add(second)).isEqualTo(140);
        assertThat(add(first)).isEqualTo(42);
        assertThat(word(variable(second, "total"))).isEqualTo(140);
        assertThat(second.variable("no")).isNull();
    }

    /// Offsets in `.nv.global.init` and `.nv.global` of what ptxas 13.0 makes of it, by readelf;
    /// gaps between variables, multiples of 1,024 bytes, change no alignment.
    @ParameterizedTest
    @CsvSource({"i, i, 0", "c, i, 40", "v, v, 0", "d, v, 48", "g, v, 56", "a, v, 456"})
    void aVariableLiesWherePtxasPutsIt(String name, String first, long offset) {
        LoadedModule module =
                load(
                        """
                        .version 8.0
                        .target sm_80
                        .address_size 64
                        .visible .global .align 1 .u8 a;
                        .visible .global .align 4 .b8 g[400];
                        .visible .global .align 8 .f64 d;
                        .visible .global .align 16 .b8 v[48];
                        .visible .global .align 1 .u8 c = 3;
                        .visible .global .align 4 .b8 i[40] = {1, 0, 0, 0, 2};
                        .visible .entry k() { ret; }
                        """);
        long start = variable(module, first).address();
        assertThat(start % 256).isZero();
        assertThat((variable(module, name).address() - start) % 1024).isEqualTo(offset);
    }

    @Test
    void theHostWritesConstants() {
        LoadedModule module = load(COUNTER.formatted(1));
        session.memory().fill(variable(module, "step"), (byte) 1);
        assertThat(add(module)).isEqualTo(40 + 0x01010101);
    }

    @Test
    void theHeapStays() {
        LoadedModule module = load(HEAP);
        Launch once = Launch.grid(1);
        Kernel take = module.kernel("take");
        Outcome outcome = session.launch(take, once.passing(Argument.s64(16)), Observer.NONE);
        assertThat(outcome.findings()).isEmpty();
        outcome =
                session.launch(
                        module.kernel("give"),
                        once.passing(Argument.poison("out", 4)),
                        Observer.NONE);
        assertThat(outcome.findings()).isEmpty();
        assertThat(word(session.buffer("out"))).isEqualTo(7);
        outcome =
                session.launch(
                        module.kernel("give"),
                        once.passing(Argument.poison("out", 4)),
                        Observer.NONE);
        assertThat(outcome.findings().getFirst().message()).contains("in memory that was freed");
    }

    @Test
    void theHeapHasALimit() {
        LoadedModule module = load(HEAP);
        session.memory().limitHeap(4096);
        session.launch(
                module.kernel("take"), Launch.grid(1).passing(Argument.s64(8192)), Observer.NONE);
        assertThat(session.memory().read(variable(module, "kept"))).containsOnly(0);
    }

    @Test
    void checksAreForAllLaunchesOrNone() {
        LoadedModule module = load(COUNTER.formatted(1));
        Launch launch = Launch.grid(1).passing(Argument.poison("out", 4));
        assertThatThrownBy(
                        () ->
                                session.launch(
                                        module.kernel("add"),
                                        launch.withChecks(Set.of()),
                                        Observer.NONE))
                .hasMessageContaining("a session checks all launches or none");
    }

    @Test
    void addressesComeBackWhenThereAreNoOthers() {
        GlobalMemory memory = session.memory();
        Buffer first = memory.allocate("first", 20 << 20);
        Buffer second = memory.allocate("second", 20 << 20);
        memory.fill(first, (byte) 1);
        memory.free(first.address());
        memory.free(second.address());
        assertThat(memory.allocate("third", 20 << 20).address()).isGreaterThan(second.address());
        Buffer fourth = memory.allocate("fourth", 30 << 20);
        assertThat(fourth.address()).isEqualTo(first.address());
        assertThat(
                        memory.written()
                                .asSlice(fourth.address() - first.address(), 16)
                                .toArray(java.lang.foreign.ValueLayout.JAVA_BYTE))
                .containsOnly(0);
        assertThat(memory.allocateOrNull("fifth", 30 << 20)).isNull();
    }

    /// Adds 1 to `total`, and stores what nobody wrote where nobody looks: the launch is run twice.
    private static final String RUN_TWICE =
            """
            .version 8.0
            .target sm_80
            .address_size 64
            .global .align 4 .u32 total = 40;
            .visible .entry bump() {
                .shared .align 4 .b32 tile;
                .reg .b32 %r<4>;
                ld.global.u32 %r1, [total];
                add.u32 %r1, %r1, 1;
                st.global.u32 [total], %r1;
                st.shared.u32 [tile], %r2;
                ret;
            }
            """;

    @Test
    void aSecondRunLeavesWhatTheHostDidMeanwhile() {
        GlobalMemory memory = session.memory();
        Buffer pinned = memory.allocate("pinned", 4);
        LoadedModule module = load(RUN_TWICE);
        Buffer[] taken = new Buffer[1];
        Observer host =
                new Observer() {
                    @Override
                    public void ended(long done, long total) {
                        if (taken[0] == null) {
                            taken[0] = memory.allocate("taken", 4, new byte[] {1, 2, 3, 4});
                            memory.write(pinned, MemorySegment.ofArray(new byte[] {5, 6, 7, 8}));
                        }
                    }
                };
        MemorySnapshot before = memory.snapshot(MemorySnapshot.Cost.upTo(1 << 20));
        Outcome outcome = session.launch(module.kernel("bump"), Launch.grid(1), host, before);
        assertThat(before.isRestored()).isTrue();
        assertThat(outcome.findings()).isEmpty();
        assertThat(memory.at(taken[0].address())).isEqualTo(taken[0]);
        assertThat(memory.read(taken[0])).containsExactly(1, 2, 3, 4);
        assertThat(memory.read(pinned)).containsExactly(5, 6, 7, 8);
        Buffer total =
                memory.live().stream()
                        .filter(one -> one.name().equals("total"))
                        .findAny()
                        .orElseThrow();
        assertThat(ByteBuffer.wrap(memory.read(total)).order(ByteOrder.LITTLE_ENDIAN).getInt())
                .isEqualTo(41);
    }

    @Test
    void withNoWayBackALaunchGoesOnAndIsWarnedOf() {
        LoadedModule module = load(RUN_TWICE);
        MemorySnapshot none = session.memory().snapshot(MemorySnapshot.Cost.NONE);
        Outcome outcome =
                session.launch(module.kernel("bump"), Launch.grid(1), Observer.NONE, none);
        assertThat(none.isRestored()).isFalse();
        assertThat(outcome.findings()).isEmpty();
        assertThat(outcome.warnings())
                .singleElement()
                .satisfies(
                        warning -> {
                            assertThat(warning.rule()).isEqualTo(Rule.UNFOLLOWED_VALUE);
                            assertThat(warning.message()).contains("%r2");
                        });
    }
}
