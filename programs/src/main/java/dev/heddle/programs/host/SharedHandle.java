package dev.heddle.programs.host;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// What one process gives to another, so that it may use its memory: a descriptor of it. The
/// system shows descriptors to other processes of the same user, under `/proc`.
///
/// @param process its number
/// @param descriptor of pages
public record SharedHandle(long process, int descriptor) {
    /// Bytes of a `cudaIpcMemHandle_t` and a `cudaIpcEventHandle_t`.
    public static final int BYTES = 64;

    private static final long MAGIC = 0x656c_6464_6548_4350L;

    /// That of pages of this process.
    public static SharedHandle of(SharedPages pages) {
        return new SharedHandle(ProcessHandle.current().pid(), pages.descriptor());
    }

    /// One that a process has written.
    ///
    /// @param refused the error of what is none
    public static SharedHandle read(MemorySegment handle, int refused) {
        CudaException.refuseIf(handle.get(ValueLayout.JAVA_LONG_UNALIGNED, 0) != MAGIC, refused);
        return new SharedHandle(
                handle.get(ValueLayout.JAVA_LONG_UNALIGNED, 8),
                handle.get(ValueLayout.JAVA_INT_UNALIGNED, 16));
    }

    /// Writes it, for another process.
    public void write(long into) {
        MemorySegment handle = Host.at(into, BYTES).fill((byte) 0);
        handle.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, MAGIC);
        handle.set(ValueLayout.JAVA_LONG_UNALIGNED, 8, process);
        handle.set(ValueLayout.JAVA_INT_UNALIGNED, 16, descriptor);
    }

    /// Whether it is of this process.
    public boolean isOwn() {
        return process == ProcessHandle.current().pid();
    }

    /// Where the pages are found as a file.
    public Path path() {
        return Path.of("/proc", Long.toString(process), "fd", Integer.toString(descriptor));
    }

    /// A handle of a list of numbers.
    public static SharedHandle ofList(List<Long> numbers) {
        ByteBuffer bytes =
                ByteBuffer.allocate(Long.BYTES * numbers.size()).order(ByteOrder.nativeOrder());
        numbers.forEach(bytes::putLong);
        SharedHandle handle = of(SharedPages.create(bytes.capacity()));
        try {
            Files.write(handle.path(), bytes.array());
        } catch (IOException e) {
            throw new CudaException(ErrorCode.NOT_SUPPORTED);
        }
        return handle;
    }

    /// The list of numbers behind it.
    ///
    /// @param refused the error where its process has ended, or is another user's
    public LongBuffer list(int refused) {
        try {
            return ByteBuffer.wrap(Files.readAllBytes(path()))
                    .order(ByteOrder.nativeOrder())
                    .asLongBuffer();
        } catch (IOException e) {
            throw new CudaException(refused);
        }
    }
}
