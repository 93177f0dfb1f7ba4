package dev.heddle.programs.driver;

import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.device.Arrays.Shape;
import dev.heddle.programs.device.Copies;
import dev.heddle.programs.device.CudaArray;
import dev.heddle.programs.device.Device;
import dev.heddle.programs.device.Place;
import dev.heddle.programs.device.Place.Block;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;

/// CUDA Driver API 6.14, Memory Management: arrays, and copies of boxes.
public record ArrayDriverFunctions(Device device) {
    private static final long BOX_BYTES = 200;

    // Arrays.

    /// An array of one or two dimensions (`CUDA_ARRAY_DESCRIPTOR`).
    public void cuArrayCreate(long into, long description) {
        Shape shape = new Shape(Host.getLong(description), Host.getLong(description + 8), 0);
        Host.putLong(into, device.arrays().allocate(ArrayFormat.read(description + 16), shape, 0));
    }

    /// An array (`CUDA_ARRAY3D_DESCRIPTOR`).
    public void cuArray3DCreate(long into, long description) {
        Host.putLong(
                into,
                device.arrays()
                        .allocate(
                                ArrayFormat.read(description + 24),
                                shape(description),
                                Host.getInt(description + 32)));
    }

    private static Shape shape(long description) {
        return new Shape(
                Host.getLong(description),
                Host.getLong(description + 8),
                Host.getLong(description + 16));
    }

    /// An array of several levels of detail.
    public void cuMipmappedArrayCreate(long into, long description, int levels) {
        Host.putLong(
                into,
                device.arrays()
                        .allocate(
                                ArrayFormat.read(description + 24),
                                shape(description),
                                Host.getInt(description + 32),
                                levels));
    }

    /// What an array is, as for `cuArrayCreate`.
    public void cuArrayGetDescriptor(long into, long array) {
        CudaArray asked = device.arrays().of(array);
        Host.putLong(into, asked.texels().width());
        Host.putLong(into + 8, asked.texels().height());
        ArrayFormat.write(into + 16, asked.texels().format());
    }

    /// What an array is, as for `cuArray3DCreate`.
    public void cuArray3DGetDescriptor(long into, long array) {
        CudaArray asked = device.arrays().of(array);
        Host.putLong(into, asked.texels().width());
        Host.putLong(into + 8, asked.texels().height());
        Host.putLong(into + 16, asked.texels().depth());
        ArrayFormat.write(into + 24, asked.texels().format());
        Host.putInt(into + 32, asked.flags());
    }

    // Copies of bytes.

    /// A copy from the host into an array.
    public Copies.Copy hostToArray(long array, long offset, long from, long bytes) {
        return copy(Place.line(from, bytes), line(array, offset, bytes), bytes);
    }

    /// A copy from an array to the host.
    public Copies.Copy arrayToHost(long to, long array, long offset, long bytes) {
        return copy(line(array, offset, bytes), Place.line(to, bytes), bytes);
    }

    /// A copy from array to array.
    public Copies.Copy arrayToArray(
            long to, long toOffset, long from, long fromOffset, long bytes) {
        return copy(line(from, fromOffset, bytes), line(to, toOffset, bytes), bytes);
    }

    private Place line(long array, long offset, long bytes) {
        return device.arrays().of(array).line(offset, bytes);
    }

    private Copies.Copy copy(Place from, Place to, long bytes) {
        return device.copies().of(from, to, Block.line(bytes), Copies.BY_POINTERS);
    }

    // Copies of boxes. A `CUDA_MEMCPY3D_PEER` has its fields where a `CUDA_MEMCPY3D` has them.

    /// One side of a `CUDA_MEMCPY2D` or `CUDA_MEMCPY3D`.
    ///
    /// @param x bytes of a row before it
    /// @param y rows before it
    /// @param z slices before it
    /// @param memory where the type of the memory and its addresses are
    /// @param pitch between rows
    /// @param height rows from one slice to the next
    private record Side(long x, long y, long z, long memory, long pitch, long height) {
        private static final int HOST = 1;
        private static final int DEVICE = 2;
        private static final int ARRAY = 3;

        static Side flat(long at) {
            return new Side(
                    Host.getLong(at), Host.getLong(at + 8), 0, at + 16, Host.getLong(at + 48), 0);
        }

        static Side deep(long at) {
            return new Side(
                    Host.getLong(at),
                    Host.getLong(at + 8),
                    Host.getLong(at + 16),
                    at + 32,
                    Host.getLong(at + 72),
                    Host.getLong(at + 80));
        }

        Place place(Device device, Block block) {
            int type = Host.getInt(memory);
            if (type == ARRAY) {
                return device.arrays().of(Host.getLong(memory + 24)).place(x, y, z, block);
            }
            refuseIf(type < HOST || type > 4, ErrorCode.INVALID_VALUE);
            long address = Host.getLong(memory + (type == HOST ? 8 : 16));
            // One row needs no distance to the next.
            long rows = pitch == 0 ? block.width() : pitch;
            long plane = rows * height;
            return new Place(address + x + y * rows + z * plane, rows, plane);
        }
    }

    /// The copy that a `CUDA_MEMCPY2D` describes.
    public Copies.Copy flatBox(long parameters) {
        Block block = new Block(Host.getLong(parameters + 112), Host.getLong(parameters + 120), 1);
        return copy(Side.flat(parameters), Side.flat(parameters + 56), block);
    }

    /// The copy that a `CUDA_MEMCPY3D` describes.
    public Copies.Copy deepBox(long parameters) {
        Block block =
                new Block(
                        Host.getLong(parameters + 176),
                        Host.getLong(parameters + 184),
                        Host.getLong(parameters + 192));
        return copy(Side.deep(parameters), Side.deep(parameters + 88), block);
    }

    /// Writes a `CUDA_MEMCPY3D`. An array is told as the memory that it lies in.
    void deep(Copies.Copy copy, long into) {
        Host.at(into, BOX_BYTES).fill((byte) 0);
        write(copy.from(), into);
        write(copy.to(), into + 88);
        Host.putLong(into + 176, copy.block().width());
        Host.putLong(into + 184, copy.block().height());
        Host.putLong(into + 192, copy.block().depth());
    }

    private void write(Place place, long side) {
        boolean isOfHost = !device.memory().isOurs(place.address());
        Host.putInt(side + 32, isOfHost ? Side.HOST : Side.DEVICE);
        Host.putLong(side + (isOfHost ? 40 : 48), place.address());
        Host.putLong(side + 72, place.pitch());
        Host.putLong(side + 80, place.pitch() == 0 ? 0 : place.plane() / place.pitch());
    }

    private Copies.Copy copy(Side from, Side to, Block block) {
        return device.copies()
                .of(from.place(device, block), to.place(device, block), block, Copies.BY_POINTERS);
    }
}
