package dev.heddle.programs.device;

import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.formats.Counted;
import dev.heddle.programs.device.Place.Block;
import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;
import dev.heddle.vm.memory.Footprint;

import java.util.List;
import java.util.function.Supplier;

/// Copies and fills of memory, of the host and the device, in the order of streams.
public final class Copies {
    /// `cudaMemcpyHostToDevice`.
    public static final int HOST_TO_DEVICE = 1;

    /// `cudaMemcpyDeviceToHost`.
    public static final int DEVICE_TO_HOST = 2;

    /// `cudaMemcpyDeviceToDevice`.
    public static final int DEVICE_TO_DEVICE = 3;

    /// `cudaMemcpyDefault`: the addresses say it.
    public static final int BY_POINTERS = 4;

    private static final int HOST_TO_HOST = 0;

    /// As much of a pattern as a processor keeps at hand.
    private static final long PATTERN_BYTES = 16 << 10;

    private final Device device;
    private final Memory memory;

    Copies(Device device, Memory memory) {
        this.device = device;
        this.memory = memory;
    }

    /// A copy whose arguments were found right.
    ///
    /// @param from where the bytes stand
    /// @param to where they are to stand
    /// @param block how many
    /// @param kind a `cudaMemcpyKind`
    /// @param pageable whether memory of the host that is not page-locked takes part
    public record Copy(Place from, Place to, Block block, int kind, boolean pageable) {}

    /// A copy.
    ///
    /// @param kind a `cudaMemcpyKind`
    /// @throws CudaException where its arguments are wrong
    public Copy of(Place from, Place to, Block block, int kind) {
        refuseIf(kind < HOST_TO_HOST || kind > BY_POINTERS, ErrorCode.INVALID_MEMCPY_DIRECTION);
        boolean pageable = !memory.isOurs(from.address()) || !memory.isOurs(to.address());
        Copy copy = new Copy(from, to, block, kind, pageable);
        if (block.isEmpty()) {
            return copy;
        }
        refuseIf(
                block.height() > 1 && (from.pitch() < block.width() || to.pitch() < block.width()),
                ErrorCode.INVALID_PITCH_VALUE);
        refuseIf(from.address() == 0 || to.address() == 0, ErrorCode.INVALID_VALUE);
        requireSide(from, block, kind == DEVICE_TO_HOST || kind == DEVICE_TO_DEVICE);
        requireSide(to, block, kind == HOST_TO_DEVICE || kind == DEVICE_TO_DEVICE);
        return copy;
    }

    private void requireSide(Place place, Block block, boolean onDevice) {
        refuseIf(onDevice && !memory.isOurs(place.address()), ErrorCode.INVALID_VALUE);
        memory.require(place.address(), place.span(block));
    }

    /// Copies, and is done then.
    public void now(Copy copy) {
        device.run(device.streams().of(0), work(copy));
    }

    /// Copies in the order of a stream. Where pageable memory takes part it is read, or was
    /// written, when this returns.
    public void later(Copy copy, long stream) {
        if (copy.pageable) {
            device.run(device.streams().of(stream), work(copy));
        } else {
            device.submit(device.streams().of(stream), work(copy));
        }
    }

    /// What a copy does.
    public Work work(Copy copy) {
        return new Work.Copying(copy, new Copying(this, copy, device.calledFrom()));
    }

    /// A copy as it is done. No lambdas: they are slow to make until the JVM optimises, which it
    /// does not for some thousands of copies.
    ///
    /// @param call where the host asked for it
    private record Copying(Copies copies, Copy copy, long call)
            implements Runnable, Supplier<Origin> {
        @Override
        public Origin get() {
            return copies.device.moved("a copy of " + Counted.bytes(copy.block.bytes()), call);
        }

        @Override
        public void run() {
            copies.device.lookAtUnwritten(copy, call, this);
            copies.run(copy);
            if (copies.device.followsOrder()) {
                copies.device.accessed(
                        this,
                        List.of(
                                copies.footprint(copy.from, copy.block, Footprint.WEAK_READS),
                                copies.footprint(copy.to, copy.block, Footprint.WEAK_WRITES)));
            }
        }
    }

    /// What is accessed of the machine's memory.
    private Footprint footprint(Place place, Block block, int ways) {
        Footprint.Builder rows = new Footprint.Builder();
        for (long z = 0; z < block.depth() && block.width() > 0; z++) {
            for (long y = 0; y < block.height() && memory.isOurs(place.address()); y++) {
                long row = place.row(y, z);
                rows.add(row, row + block.width(), ways, null);
            }
        }
        return rows.build();
    }

    /// Whether a copy or fill may take the place of another in what was made ready of a graph
    /// (`cudaGraphExecUpdate`): copies of a line between the same kinds of memory, fills of a line;
    /// others only where all but addresses and values of fills stays.
    public boolean mayReplace(Work before, Work work) {
        if (before instanceof Work.Copying(Copy a, _) && work instanceof Work.Copying(Copy b, _)) {
            boolean lines = a.block.isLine() && b.block.isLine();
            return a.equals(b)
                    || lines
                            && isOfHost(a.from) == isOfHost(b.from)
                            && isOfHost(a.to) == isOfHost(b.to);
        }
        if (before instanceof Work.Filling a && work instanceof Work.Filling b) {
            return a.block().isLine() && b.block().isLine()
                    || a.place().pitch() == b.place().pitch()
                            && a.block().width() / a.element() == b.block().width() / b.element()
                            && a.block().height() == b.block().height();
        }
        return true;
    }

    private boolean isOfHost(Place place) {
        Memory.Allocation allocation = memory.at(place.address());
        return allocation == null ? !memory.isOurs(place.address()) : allocation.kind().isOfHost();
    }

    private void run(Copy copy) {
        Block block = copy.block;
        if (block.isEmpty()) {
            return;
        }
        for (long z = 0; z < block.depth(); z++) {
            for (long y = 0; y < block.height(); y++) {
                memory.copy(copy.from.row(y, z), copy.to.row(y, z), block.width());
            }
        }
    }

    /// What a fill does, whose arguments were found right.
    ///
    /// @param value of each element
    /// @param element its size: 1, 2 or 4 bytes
    /// @throws CudaException where the arguments are wrong
    public Work filling(Place place, int value, int element, Block block) {
        refuseIf(place.address() % element != 0, ErrorCode.INVALID_VALUE);
        if (!block.isEmpty()) {
            requireSide(place, block, true);
        }
        long call = device.calledFrom();
        Supplier<Origin> origin =
                () -> device.moved("a fill of " + Counted.bytes(block.bytes()), call);
        return new Work.Filling(
                place,
                value,
                element,
                block,
                () -> {
                    fill(place, value, element, block);
                    if (device.followsOrder()) {
                        device.accessed(
                                origin, List.of(footprint(place, block, Footprint.WEAK_WRITES)));
                    }
                });
    }

    private void fill(Place place, int value, int element, Block block) {
        if (block.isEmpty()) {
            return;
        }
        for (long z = 0; z < block.depth(); z++) {
            for (long y = 0; y < block.height(); y++) {
                fill(place.row(y, z), value, element, block.width());
            }
        }
    }

    private void fill(long row, int value, int element, long width) {
        if (element == 1) {
            memory.fill(row, value, width);
            return;
        }
        for (int i = 0; i < element; i++) {
            Host.putByte(row + i, value >>> 8 * i);
        }
        // each copy repeats what stands before it
        long piece;
        for (long x = element; x < width; x += piece) {
            piece = Math.min(Math.min(x, PATTERN_BYTES), width - x);
            Host.copy(row, row + x, piece);
        }
        memory.wrote(row, width);
    }

    /// Fills in the order of a stream; with the legacy default stream, too, the host need not wait.
    public void fill(Work filling, long stream) {
        device.submit(device.streams().of(stream), filling);
    }
}
