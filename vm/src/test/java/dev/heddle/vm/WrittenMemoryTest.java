package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.vm.compiler.Compilations;
import dev.heddle.vm.ir.Addresses;
import dev.heddle.vm.launch.LaunchCheck;
import dev.heddle.vm.memory.Buffer;
import dev.heddle.vm.memory.GlobalMemory;
import dev.heddle.vm.memory.MemorySnapshot;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Whatever writes to global memory asks for its place first: of every kernel of the corpus, on
/// both executors, memory goes back to what it was, byte by byte and mark by mark.
@DisplayName("what launches write, taken back")
final class WrittenMemoryTest {
    static Stream<Path> launches() throws IOException {
        Path surfaces = Path.of("..", "examples", "sound", "surface-in-place", "launch.json");
        return Stream.concat(CorpusTest.launches(), Stream.of(surfaces));
    }

    @ParameterizedTest
    @MethodSource("launches")
    void theInterpreterAsks(Path launch) throws IOException {
        goesBack(launch, Machine.interpreter());
    }

    @ParameterizedTest
    @MethodSource("launches")
    void theCompilerAsks(Path launch) throws IOException {
        goesBack(launch, Machine.compiler(new Compilations(1 << 8)));
    }

    /// What memory holds where a launch begins.
    private static final class AtStart implements Observer {
        private final GlobalMemory memory;
        private Map<Buffer, Held> held = Map.of();

        AtStart(GlobalMemory memory) {
            this.memory = memory;
        }

        @Override
        public void ended(long done, long total) {
            held = done == 0 ? held(memory) : held;
        }
    }

    /// What a buffer holds, and which of it was written.
    private record Held(MemorySegment bytes, MemorySegment marks) {
        boolean equalsAll(@Nullable Held other) {
            return other != null
                    && bytes.mismatch(other.bytes) < 0
                    && marks.mismatch(other.marks) < 0;
        }
    }

    private static Map<Buffer, Held> held(GlobalMemory memory) {
        Map<Buffer, Held> all = new LinkedHashMap<>();
        for (Buffer one : memory.live()) {
            all.put(one, new Held(copy(memory.segment(), one), copy(memory.written(), one)));
        }
        return all;
    }

    private static MemorySegment copy(MemorySegment all, Buffer one) {
        return MemorySegment.ofArray(
                all.asSlice(one.address() - Addresses.GLOBAL, one.bytes())
                        .toArray(ValueLayout.JAVA_BYTE));
    }

    private static void goesBack(Path file, Machine machine) throws IOException {
        List<KernelLaunch> launches =
                LaunchCheck.read(file, CorpusTest.ptx(CorpusTest.folder(file))).launches();
        GlobalMemory memory =
                new GlobalMemory(launches.getFirst().launch().limits().memoryBytes(), true);
        try (Session session = machine.open(memory)) {
            session.place(launches.getFirst().kernel().program());
            launches.forEach(one -> session.allocate(one.kernel(), one.launch()));
            boolean isChanged = false;
            for (KernelLaunch one : launches) {
                AtStart start = new AtStart(memory);
                try (MemorySnapshot before =
                        memory.snapshot(MemorySnapshot.Cost.upTo(Long.MAX_VALUE))) {
                    Launch launch = one.launch();
                    assertThat(session.launch(one.kernel(), launch, start).isClean()).isTrue();
                    Map<Buffer, Held> after = held(memory);
                    memory.restore(before);
                    for (Buffer buffer : memory.live()) {
                        Held was = start.held.get(buffer);
                        if (was != null) {
                            isChanged |= !was.equalsAll(after.get(buffer));
                            assertThat(was.equalsAll(held(memory).get(buffer)))
                                    .as("%s of %s", buffer, file)
                                    .isTrue();
                        }
                    }
                }
                session.launch(one.kernel(), one.launch(), Observer.NONE);
            }
            assertThat(isChanged || file.toString().contains("printf"))
                    .as("%s writes something", file)
                    .isTrue();
        }
    }
}
