package dev.heddle.programs.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.vm.memory.Buffer;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("CUDA Programming Guide, Graph Memory Nodes: how much memory graphs have")
final class GraphMemoryTest {
    private static final long MIB = 1 << 20;

    private final GraphMemory memory = new GraphMemory();

    private static Buffer buffer(int number, long bytes) {
        return new Buffer("graph", number * 1024L * MIB, bytes);
    }

    /// 1 MiB, allocated and freed by one graph, as an H100 answered.
    @Test
    void itIsTakenInStepsAndKeptUntilItIsTrimmed() {
        Buffer one = buffer(1, MIB);
        assertThat(memory.bytes()).isZero();
        memory.take(one);
        memory.free(one);
        assertThat(memory.bytes()).isEqualTo(32 * MIB);
        memory.forgetMost();
        memory.trim();
        assertThat(memory.bytes()).isZero();
        assertThat(memory.most()).isEqualTo(32 * MIB);
    }

    @Test
    void whatOneGraphFreedTheNextHas() {
        Buffer first = buffer(1, 32 * MIB);
        Buffer second = buffer(2, 32 * MIB);
        for (int i = 0; i < 2; i++) {
            memory.take(first);
            memory.free(first);
            memory.take(second);
            memory.free(second);
        }
        assertThat(memory.bytes()).isEqualTo(32 * MIB);
        memory.take(first);
        memory.take(second);
        memory.take(second);
        assertThat(memory.bytes()).isEqualTo(64 * MIB);
        memory.free(first);
        memory.trim();
        assertThat(memory.bytes()).isEqualTo(32 * MIB);
        assertThat(memory.most()).isEqualTo(64 * MIB);
    }
}
