package dev.heddle.programs.driver;

import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.device.Device;
import dev.heddle.programs.device.Graph;
import dev.heddle.programs.device.Work;
import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/// CUDA Driver API 6.20, Stream Memory Operations: streams that write a word, or wait for one.
public record StreamMemoryFunctions(Device device) {
    private static final long PAUSE_NANOS = 20_000;

    /// `CU_STREAM_WAIT_VALUE_FLUSH`, and how words are compared.
    private static final int FLUSH = 1 << 30;

    private static final int GREATER_OR_EQUAL = 0;
    private static final int EQUAL = 1;
    private static final int AND = 2;
    private static final int NOR = 3;

    // Of `CUstreamBatchMemOpType`.
    private static final int WAIT_32 = 1;
    private static final int WRITE_32 = 2;
    private static final int FLUSH_REMOTE_WRITES = 3;
    private static final int WAIT_64 = 4;
    private static final int WRITE_64 = 5;
    private static final int BARRIER = 6;

    private static final int OPERATION_BYTES = 48;
    private static final int MOST_OPERATIONS = 256;

    // Where they are in a `CUDA_BATCH_MEM_OP_NODE_PARAMS`.
    private static final int NODE_COUNT = 8;
    private static final int NODE_OPERATIONS = 16;
    private static final int NODE_FLAGS = 24;

    /// Does something in the order of a stream.
    public void submit(long stream, Runnable action) {
        device.submit(device.streams().of(stream), new Work.Plain(Graph.Kind.EMPTY, action));
    }

    private Runnable writing(long address, int bytes, Runnable write) {
        require(address, bytes);
        return () -> {
            write.run();
            device.memory().wrote(address, bytes);
        };
    }

    /// Writes 32 bits.
    public Runnable writing32(long address, int value) {
        return writing(address, Integer.BYTES, () -> Host.putInt(address, value));
    }

    /// Writes 64 bits.
    public Runnable writing64(long address, long value) {
        return writing(address, Long.BYTES, () -> Host.putLong(address, value));
    }

    private void require(long address, int bytes) {
        refuseIf(address % bytes != 0, ErrorCode.INVALID_VALUE);
        device.memory().require(address, bytes);
    }

    /// Waits for 32 bits.
    public Runnable waiting32(long address, int value, int flags) {
        require(address, Integer.BYTES);
        return waiting(() -> Host.getInt(address), Integer.SIZE, value, flags);
    }

    /// Waits for 64 bits.
    public Runnable waiting64(long address, long value, int flags) {
        require(address, Long.BYTES);
        return waiting(() -> Host.getLong(address), Long.SIZE, value, flags);
    }

    private Runnable waiting(LongSupplier word, int bits, long value, int flags) {
        int how = flags & ~FLUSH;
        refuseIf(how < GREATER_OR_EQUAL || how > NOR, ErrorCode.INVALID_VALUE);
        device.streams().stopFollowing();
        return () -> {
            while (!holds(word.getAsLong(), bits, value, how)
                    && device.failure() == ErrorCode.SUCCESS) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        };
    }

    // Several together.

    /// Writes words and waits for words, one after the other.
    public void cuStreamBatchMemOp(long stream, int count, long operations, int flags) {
        device.submit(device.streams().of(stream), words(count, operations, flags));
    }

    /// What a node of a graph does (`CUDA_BATCH_MEM_OP_NODE_PARAMS`).
    public Work.OfWords operations(long parameters) {
        return words(
                Host.getInt(parameters + NODE_COUNT),
                Host.getLong(parameters + NODE_OPERATIONS),
                Host.getInt(parameters + NODE_FLAGS));
    }

    /// Writes what a node does; the program may read it as long as the node does that.
    static void write(Work.OfWords node, long into) {
        Host.putInt(into + NODE_COUNT, (int) (node.operations().byteSize() / OPERATION_BYTES));
        Host.putLong(into + NODE_OPERATIONS, node.operations().address());
        Host.putInt(into + NODE_FLAGS, 0);
    }

    private Work.OfWords words(int count, long operations, int flags) {
        refuseIf(count < 0 || count > MOST_OPERATIONS || flags != 0, ErrorCode.INVALID_VALUE);
        long bytes = (long) count * OPERATION_BYTES;
        MemorySegment kept = Arena.ofAuto().allocate(bytes, Long.BYTES);
        if (count > 0) {
            kept.copyFrom(Host.at(operations, bytes));
        }
        List<Runnable> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(operation(kept.address() + (long) i * OPERATION_BYTES));
        }
        return new Work.OfWords(kept, () -> all.forEach(Runnable::run));
    }

    /// One (`CUstreamBatchMemOpParams`).
    private Runnable operation(long at) {
        long address = Host.getLong(at + 8);
        int low = Host.getInt(at + 16);
        long value = Host.getLong(at + 16);
        int flags = Host.getInt(at + 24);
        return switch (Host.getInt(at)) {
            case WAIT_32 -> waiting32(address, low, flags);
            case WRITE_32 -> writing32(address, low);
            case WAIT_64 -> waiting64(address, value, flags);
            case WRITE_64 -> writing64(address, value);
            // what was written before is written
            case FLUSH_REMOTE_WRITES, BARRIER -> () -> {};
            default -> throw new CudaException(ErrorCode.INVALID_VALUE);
        };
    }

    /// @param bits of the word, in which counters may turn over
    private static boolean holds(long word, int bits, long value, int how) {
        return switch (how) {
            case EQUAL -> word == value;
            case AND -> (word & value) != 0;
            case NOR -> ~(word | value) != 0;
            default -> word - value << Long.SIZE - bits >= 0;
        };
    }
}
