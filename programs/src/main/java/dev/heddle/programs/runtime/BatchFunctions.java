package dev.heddle.programs.runtime;

import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.device.Copies;
import dev.heddle.programs.device.CudaArray;
import dev.heddle.programs.device.Device;
import dev.heddle.programs.device.Place;
import dev.heddle.programs.device.Place.Block;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// CUDA Runtime API 6.11, Memory Management: what a stream does in batches, in an order of its own
/// choice. Here it is the order of the batch. Arguments are refused as an H100 refuses them.
public record BatchFunctions(Device device, RangeFunctions ranges) {
    /// `cudaMemcpySrcAccessOrderStream` and `cudaMemcpySrcAccessOrderAny`: the first and the last.
    private static final int ORDER_STREAM = 1;

    private static final int ORDER_DURING_CALL = 2;
    private static final int ORDER_ANY = 3;

    /// A `cudaMemcpyAttributes`: the order, two hints of a place, and flags.
    private static final int ATTRIBUTES_BYTES = 24;

    private static final int ATTRIBUTES_FLAGS = 20;

    /// A `cudaMemcpy3DBatchOp`: two operands, an extent, the order and flags.
    private static final int BOX_BYTES = 112;

    private static final int BOX_TARGET = 40;
    private static final int BOX_EXTENT = 80;
    private static final int BOX_ORDER = 104;
    private static final int BOX_FLAGS = 108;
    private static final int POINTER = 1;
    private static final int ARRAY = 2;

    private static void require(boolean right) {
        refuseIf(!right, ErrorCode.INVALID_VALUE);
    }

    /// The legacy default stream takes no batches.
    private void requireStream(long stream) {
        require(device.streams().of(stream) != device.streams().of(0));
    }

    private static int order(long order, long flags) {
        int found = Host.getInt(order);
        require(found >= ORDER_STREAM && found <= ORDER_ANY);
        require((Host.getInt(flags) & ~1) == 0);
        return found;
    }

    /// Attributes or places begin to hold at the operations that their indices name: the first at
    /// the first, each other behind the one before.
    ///
    /// @return for each operation, which holds
    private static int[] holders(long indices, long many, long count) {
        require(many > 0 && many <= count && Host.getLong(indices) == 0);
        int[] holders = new int[Math.toIntExact(count)];
        for (int i = 1; i < many; i++) {
            long from = Host.getLong(indices + 8L * i);
            require(from > Host.getLong(indices + 8L * (i - 1)) && from < count);
            Arrays.fill(holders, (int) from, holders.length, i);
        }
        return holders;
    }

    private void run(List<Copies.Copy> copies, boolean duringCall, long stream) {
        for (Copies.Copy copy : copies) {
            device.copies().later(copy, stream);
        }
        if (duringCall) {
            device.streams().await(device.streams().of(stream));
        }
    }

    /// Copies bytes, each so many from one place to another.
    public void cudaMemcpyBatchAsync(
            long to,
            long from,
            long sizes,
            long count,
            long attributes,
            long indices,
            long many,
            long stream) {
        requireStream(stream);
        require(count > 0);
        int[] holders = holders(indices, many, count);
        List<Copies.Copy> copies = new ArrayList<>();
        boolean duringCall = false;
        for (int i = 0; i < count; i++) {
            long bytes = Host.getLong(sizes + 8L * i);
            require(bytes > 0);
            long which = attributes + (long) ATTRIBUTES_BYTES * holders[i];
            duringCall |= order(which, which + ATTRIBUTES_FLAGS) == ORDER_DURING_CALL;
            copies.add(
                    device.copies()
                            .of(
                                    Place.line(Host.getLong(from + 8L * i), bytes),
                                    Place.line(Host.getLong(to + 8L * i), bytes),
                                    Block.line(bytes),
                                    Copies.BY_POINTERS));
        }
        run(copies, duringCall, stream);
    }

    /// Copies boxes (`cudaMemcpy3DBatchOp`).
    public void cudaMemcpy3DBatchAsync(long count, long boxes, long flags, long stream) {
        requireStream(stream);
        require(count > 0 && flags == 0);
        List<Copies.Copy> copies = new ArrayList<>();
        boolean duringCall = false;
        for (int i = 0; i < count; i++) {
            long box = boxes + (long) BOX_BYTES * i;
            duringCall |= order(box + BOX_ORDER, box + BOX_FLAGS) == ORDER_DURING_CALL;
            copies.add(box(box));
        }
        run(copies, duringCall, stream);
    }

    private Copies.Copy box(long box) {
        CudaArray source = array(box);
        CudaArray target = array(box + BOX_TARGET);
        int texel = BoxCopies.texel(source, target);
        Block block = BoxCopies.block(box + BOX_EXTENT, texel);
        require(!block.isEmpty());
        return device.copies()
                .of(
                        place(box + 8, source, block, texel),
                        place(box + BOX_TARGET + 8, target, block, texel),
                        block,
                        Copies.BY_POINTERS);
    }

    /// The array of an operand, or null where it is a pointer.
    private @Nullable CudaArray array(long operand) {
        int type = Host.getInt(operand);
        require(type == POINTER || type == ARRAY);
        return type == ARRAY ? device.arrays().of(Host.getLong(operand + 8)) : null;
    }

    /// Where an operand is. Rows and layers of a pointer without lengths lie close together.
    private static Place place(long operand, @Nullable CudaArray array, Block block, int texel) {
        if (array != null) {
            return array.place(
                    Host.getLong(operand + 8) * texel,
                    Host.getLong(operand + 16),
                    Host.getLong(operand + 24),
                    block);
        }
        long row = Host.getLong(operand + 8) * texel;
        long rows = Host.getLong(operand + 16);
        require((row == 0 || row >= block.width()) && (rows == 0 || rows >= block.height()));
        long pitch = row == 0 ? block.width() : row;
        return new Place(Host.getLong(operand), pitch, pitch * (rows == 0 ? block.height() : rows));
    }

    /// Brings managed memory to places (`cudaMemLocation`), and does no more where what it holds is
    /// not needed either.
    public void cudaMemPrefetchBatchAsync(
            long pointers,
            long sizes,
            long count,
            long places,
            long indices,
            long many,
            long flags,
            long stream) {
        requireStream(stream);
        require(count > 0 && flags == 0);
        int[] holders = holders(indices, many, count);
        for (int i = 0; i < count; i++) {
            ranges.prefetchAt(
                    Host.getLong(pointers + 8L * i),
                    Host.getLong(sizes + 8L * i),
                    Host.getLong(places + 8L * holders[i]));
        }
    }

    /// What managed memory holds is not needed any more. It stays, as it may.
    public void cudaMemDiscardBatchAsync(
            long pointers, long sizes, long count, long flags, long stream) {
        requireStream(stream);
        require(count > 0 && flags == 0);
        for (int i = 0; i < count; i++) {
            ranges.require(Host.getLong(pointers + 8L * i), Host.getLong(sizes + 8L * i));
        }
    }
}
