package dev.heddle.programs.driver;

import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.device.Device;
import dev.heddle.programs.device.Graph;
import dev.heddle.programs.device.Work;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/// CUDA Driver API 6.20, Stream Memory Operations: streams that write a word, or wait for one.
public final class StreamMemoryFunctions {
    private static final long PAUSE_NANOS = 20_000;

    /// `CU_STREAM_WAIT_VALUE_FLUSH`, and how words are compared.
    private static final int FLUSH = 1 << 30;

    private static final int GREATER_OR_EQUAL = 0;
    private static final int EQUAL = 1;
    private static final int AND = 2;
    private static final int NOR = 3;

    private final Device device;

    /// Functions on a device.
    public StreamMemoryFunctions(Device device) {
        this.device = device;
    }

    private void write(long stream, long address, int bytes, Runnable write) {
        require(address, bytes);
        Runnable action =
                () -> {
                    write.run();
                    device.memory().wrote(address, bytes);
                };
        device.submit(device.streams().of(stream), new Work.Plain(Graph.Kind.EMPTY, action));
    }

    private void require(long address, int bytes) {
        refuseIf(address % bytes != 0, ErrorCode.INVALID_VALUE);
        device.memory().require(address, bytes);
    }

    /// Writes 32 bits.
    public void cuStreamWriteValue32(long stream, long address, int value, int flags) {
        write(stream, address, Integer.BYTES, () -> Host.putInt(address, value));
    }

    /// Writes 64 bits.
    public void cuStreamWriteValue64(long stream, long address, long value, int flags) {
        write(stream, address, Long.BYTES, () -> Host.putLong(address, value));
    }

    /// Waits for 32 bits.
    public void cuStreamWaitValue32(long stream, long address, int value, int flags) {
        require(address, Integer.BYTES);
        await(stream, () -> Host.getInt(address), Integer.SIZE, value, flags);
    }

    /// Waits for 64 bits.
    public void cuStreamWaitValue64(long stream, long address, long value, int flags) {
        require(address, Long.BYTES);
        await(stream, () -> Host.getLong(address), Long.SIZE, value, flags);
    }

    private void await(long stream, LongSupplier word, int bits, long value, int flags) {
        int how = flags & ~FLUSH;
        refuseIf(how < GREATER_OR_EQUAL || how > NOR, ErrorCode.INVALID_VALUE);
        Runnable wait =
                () -> {
                    while (!holds(word.getAsLong(), bits, value, how)
                            && device.failure() == ErrorCode.SUCCESS) {
                        LockSupport.parkNanos(PAUSE_NANOS);
                    }
                };
        device.streams().stopFollowing();
        device.submit(device.streams().of(stream), new Work.Plain(Graph.Kind.EMPTY, wait));
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
