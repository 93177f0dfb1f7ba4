package dev.heddle.programs.device;

import static dev.heddle.programs.host.CudaException.orRefuse;
import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.device.Memory.Allocation;
import dev.heddle.programs.device.Memory.Kind;
import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;
import dev.heddle.programs.host.SharedHandle;
import dev.heddle.programs.host.SharedPages;
import dev.heddle.vm.memory.Buffer;

import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Memory of the device that other processes use, too: its pages become those of files without
/// names, which other processes map at addresses of their own.
///
/// Buffers that share a page share its file; a handle names a list of the runs of pages that the
/// buffer lies in.
public final class SharedMemory {
    private final Memory memory;

    /// The pages that are files by now, by their addresses. They stay so when buffers are freed.
    private final TreeMap<Long, SharedPages> runs = new TreeMap<>();

    /// By the numbers of allocations.
    private final Map<Integer, SharedHandle> given = new HashMap<>();

    private final Map<SharedHandle, Opened> opened = new HashMap<>();

    /// @param times it was opened and not closed
    private record Opened(long address, long window, long bytes, int times) {
        Opened counted(int more) {
            return new Opened(address, window, bytes, times + more);
        }
    }

    SharedMemory(Memory memory) {
        this.memory = memory;
    }

    /// A handle of the memory at an address of the device, while no stream has work.
    public synchronized SharedHandle handle(long address) {
        Allocation allocation = orRefuse(memory.at(address), ErrorCode.INVALID_VALUE);
        refuseIf(allocation.kind() != Kind.DEVICE, ErrorCode.INVALID_VALUE);
        return given.computeIfAbsent(allocation.number(), _ -> share(allocation.buffer()));
    }

    private SharedHandle share(Buffer buffer) {
        long first = buffer.address() & -SharedPages.PAGE;
        long last = (buffer.address() + buffer.bytes() + SharedPages.PAGE - 1) & -SharedPages.PAGE;
        List<Long> numbers = new ArrayList<>(List.of(buffer.address() - first, last - first));
        for (long at = first; at < last; ) {
            Map.Entry<Long, SharedPages> run = runs.floorEntry(at);
            if (run == null || run.getKey() + run.getValue().bytes() <= at) {
                Long next = runs.higherKey(at);
                exchange(at, (next == null ? last : Math.min(last, next)) - at);
                run = runs.floorEntry(at);
            }
            long end = Math.min(last, run.getKey() + run.getValue().bytes());
            numbers.addAll(
                    List.of((long) run.getValue().descriptor(), at - run.getKey(), end - at));
            at = end;
        }
        // What others write there is not seen.
        memory.wrote(buffer.address(), buffer.bytes());
        return SharedHandle.ofList(numbers);
    }

    /// Puts pages of a file with the same bytes where pages are.
    private void exchange(long at, long bytes) {
        SharedPages pages = SharedPages.create(bytes);
        long window = memory.reserve(bytes, SharedPages.PAGE);
        pages.map(window, 0, bytes);
        Host.copy(at, window, bytes);
        SharedPages.clear(window, bytes);
        memory.release(window);
        pages.map(at, 0, bytes);
        runs.put(at, pages);
    }

    /// The address of another process's memory.
    public synchronized long open(SharedHandle handle) {
        refuseIf(handle.isOwn(), ErrorCode.INVALID_CONTEXT);
        Opened before = opened.get(handle);
        Opened now = before != null ? before.counted(1) : mapped(handle);
        opened.put(handle, now);
        return now.address;
    }

    private Opened mapped(SharedHandle handle) {
        LongBuffer numbers = handle.list(ErrorCode.INVALID_VALUE);
        long within = numbers.get();
        long bytes = numbers.get();
        long window = memory.reserve(bytes, SharedPages.PAGE);
        for (long at = window; numbers.hasRemaining(); ) {
            SharedHandle file = new SharedHandle(handle.process(), (int) numbers.get());
            SharedPages pages = SharedPages.open(file.path());
            long offset = numbers.get();
            long length = numbers.get();
            pages.map(at, offset, length);
            pages.close();
            at += length;
        }
        memory.adopt(window + within);
        memory.wrote(window, bytes);
        return new Opened(window + within, window, bytes, 1);
    }

    /// Closes what was opened at an address, while no stream has work.
    public synchronized void close(long address) {
        Map.Entry<SharedHandle, Opened> found =
                opened.entrySet().stream()
                        .filter(each -> each.getValue().address == address)
                        .findAny()
                        .orElseThrow(() -> new CudaException(ErrorCode.INVALID_VALUE));
        Opened left = found.getValue().counted(-1);
        if (left.times > 0) {
            found.setValue(left);
            return;
        }
        opened.remove(found.getKey());
        memory.forget(address);
        SharedPages.clear(left.window, left.bytes);
        memory.release(left.window);
    }
}
