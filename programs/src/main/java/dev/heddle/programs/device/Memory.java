package dev.heddle.programs.device;

import static dev.heddle.programs.host.CudaException.orRefuse;
import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;
import dev.heddle.programs.host.SharedPages;
import dev.heddle.vm.memory.Buffer;
import dev.heddle.vm.memory.GlobalMemory;
import dev.heddle.vm.memory.Unwritten;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/// What the program allocated, device memory and page-locked host memory alike: both lie in the
/// window of the machine's addresses, so that a kernel reaches either and the host does, too.
public final class Memory {
    /// Bytes of a buffer that is worth a place of its own.
    private static final long LARGE = 64 << 10;

    private final GlobalMemory global;
    private final long total;
    private final Contexts contexts;
    private final ConcurrentSkipListMap<Long, Allocation> allocations =
            new ConcurrentSkipListMap<>();
    private final GraphMemory ofGraphs = new GraphMemory();
    private long used;

    Memory(GlobalMemory global, long total, Contexts contexts) {
        this.contexts = contexts;
        this.global = global;
        this.total = total;
    }

    /// Who may use an allocation, by the numbers of `cudaMemoryType`.
    public enum Kind {
        /// Page-locked host memory, seen by kernels at the same address.
        HOST("cudaMallocHost", 1),
        /// Memory of the device.
        DEVICE("cudaMalloc", 2),
        /// Managed memory.
        MANAGED("cudaMallocManaged", 3),
        /// A managed variable, which has its memory as long as the process lives.
        VARIABLE("__managed__", 3),
        /// Texels of an array, on the device.
        ARRAY("cudaMallocArray", 2),
        /// Memory of another process's device.
        FOREIGN("cudaIpcOpenMemHandle", 2),
        /// Memory of a graph, which has its address as long as the process lives.
        GRAPH("cudaGraphAddMemAllocNode", 2);

        private final String function;
        private final int type;

        Kind(String function, int type) {
            this.function = function;
            this.type = type;
        }

        /// Whether it is page-locked memory of the host.
        public boolean isOfHost() {
            return this == HOST;
        }

        /// Whether only the device reaches it.
        boolean isOfDevice() {
            return this == DEVICE || this == ARRAY || this == GRAPH || this == FOREIGN;
        }

        /// Whether it is managed memory.
        public boolean isManaged() {
            return this == MANAGED || this == VARIABLE;
        }

        /// Whether it is none of what the program allocates and frees.
        boolean isKept() {
            return this == VARIABLE || this == FOREIGN;
        }

        /// Its number in `cudaPointerAttributes`.
        public int type() {
            return type;
        }
    }

    /// A live allocation.
    ///
    /// @param number counts allocations from 1; 0 for a variable, which is there from the start
    /// @param buffer where it lies
    /// @param kind who may use it
    /// @param flags of `cudaHostAlloc`
    /// @param context the handle of the context that it was made in, or 0
    public record Allocation(int number, Buffer buffer, Kind kind, int flags, long context) {}

    /// Allocations so far; messages name them by it.
    private int count;

    /// How many there were so far.
    synchronized int count() {
        return count;
    }

    /// Allocates; no bytes give the null pointer.
    ///
    /// @throws CudaException where memory is full
    public synchronized long allocate(long bytes, Kind kind, int flags) {
        if (bytes == 0) {
            return 0;
        }
        refuseIf(
                bytes < 0 || kind.isOfDevice() && bytes > total - used,
                ErrorCode.MEMORY_ALLOCATION);
        count++;
        Buffer buffer = buffer("%s #%d".formatted(kind.function, count), bytes, kind);
        allocations.put(
                buffer.address(), new Allocation(count, buffer, kind, flags, contexts.current()));
        used += bytes;
        global.assumeWritten(buffer);
        if (!kind.isOfDevice()) {
            // The host writes there unseen, while kernels run, too.
            global.share();
        }
        if (!kind.isOfDevice() || kind == Kind.ARRAY) {
            // What surfaces store in arrays is not marked.
            global.markWritten(buffer.address(), bytes);
        }
        return buffer.address();
    }

    /// Addresses for so many bytes. A large buffer of the host begins at a page, as CUDA's do; one
    /// of the device at the middle of a page, as those of `malloc` begin near one's start: copies
    /// run at a third of their speed where they store some hundred bytes ahead of what they load,
    /// modulo a page.
    private Buffer buffer(String name, long bytes, Kind kind) {
        long page = SharedPages.PAGE;
        Buffer buffer =
                bytes < LARGE
                        ? null
                        : global.allocateAlignedOrNull(
                                name, bytes, page, kind.isOfDevice() ? page / 2 : 0);
        if (buffer == null) {
            buffer = global.allocateOrNull(name, bytes);
        }
        if (buffer == null) {
            throw new CudaException(ErrorCode.MEMORY_ALLOCATION);
        }
        return buffer;
    }

    /// Counts a managed variable among what may be asked about.
    void adopt(Buffer variable) {
        allocations.put(
                variable.address(),
                new Allocation(0, variable, Kind.VARIABLE, 0, contexts.current()));
    }

    /// Counts what another process has among what may be asked about.
    void adopt(long address) {
        Buffer window = orRefuse(global.at(address), ErrorCode.INVALID_VALUE);
        allocations.put(address, new Allocation(0, window, Kind.FOREIGN, 0, contexts.current()));
    }

    /// Counts it no more.
    void forget(long address) {
        allocations.remove(address);
    }

    /// Frees what begins at an address.
    ///
    /// @throws CudaException where nothing does
    public synchronized void free(long address) {
        Allocation allocation = allocations.get(address);
        if (allocation == null || allocation.kind.isKept()) {
            throw new CudaException(ErrorCode.INVALID_VALUE);
        }
        if (allocation.kind == Kind.GRAPH) {
            freed(allocation.buffer);
            return;
        }
        allocations.remove(address);
        used -= allocation.buffer.bytes();
        global.free(address);
    }

    /// The condition of a node of a graph: its word is none of the program's memory.
    ///
    /// @param initial its value when a graph is launched
    /// @param assigned whether it gets that
    /// @param device that it is on
    /// @throws CudaException where memory is full
    public synchronized Condition condition(int initial, boolean assigned, Device device) {
        count++;
        String name = "cudaGraphConditionalHandleCreate #%d".formatted(count);
        Buffer word =
                orRefuse(global.allocateOrNull(name, Integer.BYTES), ErrorCode.MEMORY_ALLOCATION);
        Host.putInt(word.address(), 0);
        global.markWritten(word.address(), word.bytes());
        long call = device.calledFrom();
        return new Condition(
                word.address(),
                initial,
                assigned,
                device,
                () -> device.moved("a loop by " + name, call));
    }

    /// What a node of a graph does that allocates: its memory holds nothing that anybody wrote.
    ///
    /// @throws CudaException where memory is full, or no bytes are asked for
    public Work.OfMemory allocation(long bytes) {
        Buffer buffer = ofGraph(allocate(bytes, Kind.GRAPH, 0));
        Runnable take =
                () -> {
                    ofGraphs.take(buffer);
                    discard(buffer);
                };
        return new Work.OfMemory(Graph.Kind.MEM_ALLOC, buffer, take);
    }

    /// What a node of a graph does that frees.
    ///
    /// @throws CudaException where no node allocated there
    public Work.OfMemory freeing(long address) {
        Buffer buffer = ofGraph(address);
        return new Work.OfMemory(Graph.Kind.MEM_FREE, buffer, () -> freed(buffer));
    }

    private void freed(Buffer buffer) {
        ofGraphs.free(buffer);
        discard(buffer);
    }

    /// What graphs have of it.
    public GraphMemory ofGraphs() {
        return ofGraphs;
    }

    private Buffer ofGraph(long address) {
        Allocation allocation = allocations.get(address);
        if (allocation == null || allocation.kind != Kind.GRAPH) {
            throw new CudaException(ErrorCode.INVALID_VALUE);
        }
        return allocation.buffer;
    }

    private void discard(Buffer buffer) {
        global.discard(buffer.address() - global.segment().address(), buffer.bytes());
    }

    /// Takes addresses for memory that stands elsewhere, too.
    ///
    /// @param alignment a power of two
    /// @throws CudaException where there are none
    public long reserve(long bytes, long alignment) {
        // A gap of a page keeps what is mapped there from its neighbours.
        Buffer buffer =
                orRefuse(
                        global.allocateAlignedOrNull(
                                "mapped memory", bytes + SharedPages.PAGE, alignment, 0),
                        ErrorCode.MEMORY_ALLOCATION);
        global.share();
        return buffer.address();
    }

    /// Gives such addresses back.
    public void release(long address) {
        global.free(address);
    }

    /// What lies at an address, or null for memory of the host that CUDA does not know.
    public @Nullable Allocation at(long address) {
        Map.Entry<Long, Allocation> below = allocations.floorEntry(address);
        return below != null && below.getValue().buffer.holds(address, 1) ? below.getValue() : null;
    }

    /// Whether an address belongs to the device's window.
    public boolean isOurs(long address) {
        long start = global.segment().address();
        return address >= start && address - start < global.segment().byteSize();
    }

    /// Requires that a range, where it is the machine's, lies in one live buffer.
    ///
    /// @throws CudaException where it does not
    public void require(long address, long bytes) {
        if (bytes > 0 && isOurs(address)) {
            Buffer buffer = global.at(address);
            if (buffer == null || address - buffer.address() > buffer.bytes() - bytes) {
                throw new CudaException(ErrorCode.INVALID_VALUE);
            }
        }
    }

    /// Copies; what is written of the machine's memory counts as written. On the device that is
    /// what was written where it comes from.
    public void copy(long from, long to, long bytes) {
        Host.copy(from, to, bytes);
        if (isOurs(from) && !isSeenByHost(to)) {
            global.copyMarks(from, to, bytes);
        } else {
            wrote(to, bytes);
        }
    }

    /// Whether the host reads and writes what stands at an address as it does its own.
    boolean isSeenByHost(long address) {
        Allocation allocation = at(address);
        return allocation == null ? !isOurs(address) : !allocation.kind.isOfDevice();
    }

    /// What of a range nobody wrote; null where all of it is written, or that is not remembered.
    @Nullable Unwritten unwritten(long address, long bytes) {
        return isOurs(address) ? global.unwritten(address, bytes) : null;
    }

    /// Fills with a byte.
    public void fill(long address, int value, long bytes) {
        Host.fill(address, value, bytes);
        wrote(address, bytes);
    }

    /// The host wrote a range.
    public void wrote(long address, long bytes) {
        if (isOurs(address)) {
            global.markWritten(address, bytes);
        }
    }

    /// Bytes of the device.
    public long total() {
        return total;
    }

    /// Bytes still to be had.
    public synchronized long free() {
        return Math.max(0, total - used);
    }

    /// How much kernels may take by `malloc`.
    public void limitHeap(long bytes) {
        global.limitHeap(bytes);
    }

    /// What was never freed, but for what cannot be: the memory of graphs and variables.
    public List<Allocation> live() {
        List<Allocation> live = new ArrayList<>(allocations.values());
        live.removeIf(each -> each.kind == Kind.GRAPH || each.kind.isKept());
        return live;
    }

    /// Frees what was made in a context.
    synchronized void freeAllOf(long context) {
        for (Allocation allocation : live()) {
            if (allocation.context == context) {
                free(allocation.buffer.address());
            }
        }
    }
}
