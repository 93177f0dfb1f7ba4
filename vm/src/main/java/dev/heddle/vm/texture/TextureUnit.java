package dev.heddle.vm.texture;

import dev.heddle.vm.ir.Geometry;
import dev.heddle.vm.texture.Sampler.Addressing;
import dev.heddle.vm.texture.Sampler.Filter;

import java.lang.foreign.MemorySegment;

/// Reads a texture at coordinates, as `tex` and `tld4` do (CUDA programming guide, "Texture
/// fetching").
///
/// Coordinates are taken to texels, and for linear filtering to fixed point with eight bits of
/// fraction: the weights of the texels around.
///
/// @param reads is told of each texel that counts
public record TextureUnit(Texture texture, Sampler sampler, Reads reads) {
    private static final int FRACTION = 8;
    private static final int ONE = 1 << FRACTION;

    /// Who is told which texels are read.
    @FunctionalInterface
    public interface Reads {
        /// One is.
        ///
        /// @param at its first byte, from the start of the array
        void read(TexelArray array, long at);
    }

    /// What reads this texture, and tells nobody.
    public TextureUnit(Texture texture) {
        this(texture, (array, at) -> {});
    }

    /// What reads this texture.
    public TextureUnit(Texture texture, Reads reads) {
        this(texture, texture.sampler(), reads);
    }

    /// A place in a texture.
    ///
    /// @param geometry of the instruction
    /// @param layer or cube, where the geometry has them
    /// @param coordinates along its axes
    /// @param integers whether they are whole numbers of texels: outside there is nothing then
    /// @param offsets added to the coordinates, in texels
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Place(
            Geometry geometry, int layer, float[] coordinates, boolean integers, int[] offsets) {}

    /// Whether what it returns are numbers; else they are integers.
    public boolean returnsNumbers() {
        return texture.first().format().channel().isFloat() || sampler.asNumbers();
    }

    /// The four channels at a place, as bits of a register each.
    ///
    /// @param level of detail
    public int[] read(Place place, float level) {
        int last = texture.levels().size() - 1;
        Sampler.Levels levels = sampler.levels();
        float detail = Math.clamp(level + levels.bias(), levels.least(), levels.most());
        detail = Math.clamp(Float.isNaN(detail) ? 0 : detail, 0, last);
        if (levels.filter() == Filter.POINT || !returnsNumbers()) {
            return registers(at(place, texture.levels().get((int) Math.floor(detail + 0.5f))));
        }
        int fixed = (int) Math.floor(detail * ONE);
        int below = fixed >> FRACTION;
        double[] first = at(place, texture.levels().get(below));
        if ((fixed & ONE - 1) == 0) {
            return registers(first);
        }
        double weight = (fixed & ONE - 1) / (double) ONE;
        double[] second = at(place, texture.levels().get(below + 1));
        for (int i = 0; i < first.length; i++) {
            first[i] = first[i] * (1 - weight) + second[i] * weight;
        }
        return registers(first);
    }

    /// The level at which a pixel of these derivatives covers about one texel.
    ///
    /// @param derivatives of the coordinates along x, then along y
    public float levelOf(float[] derivatives) {
        TexelArray array = texture.first();
        int[] extents = {array.width(), Math.max(1, array.height()), Math.max(1, array.slices())};
        int axes = derivatives.length / 2;
        double most = 0;
        for (int side = 0; side < 2; side++) {
            double sum = 0;
            for (int axis = 0; axis < axes; axis++) {
                double texels = scaled(derivatives[side * axes + axis], extents[axis]);
                sum += texels * texels;
            }
            most = Math.max(most, Math.sqrt(sum));
        }
        return (float) (Math.log(most) / Math.log(2));
    }

    private int[] registers(double[] channels) {
        int[] registers = new int[4];
        boolean numbers = returnsNumbers();
        for (int i = 0; i < 4; i++) {
            registers[i] =
                    numbers
                            ? Float.floatToRawIntBits(rounded(channels[i]))
                            : (int) (long) channels[i];
        }
        return registers;
    }

    /// The nearest number; of two the larger one in magnitude.
    private static float rounded(double exact) {
        float nearest = (float) exact;
        double magnitude = Math.abs(exact);
        float below = Math.abs(nearest);
        return below < magnitude && magnitude - below == Math.nextUp(below) - magnitude
                ? Math.copySign(Math.nextUp(below), nearest)
                : nearest;
    }

    /// One channel of the four texels that linear filtering would take, counter-clockwise from the
    /// lower left (`tld4`).
    public int[] gather(Place place, int channel) {
        Face face = face(place);
        TexelArray array = texture.first();
        Axis x = linear(face.coordinates[0], array.width(), 0, place.offsets);
        Axis y = linear(face.coordinates[1], Math.max(1, array.height()), 1, place.offsets);
        int[][] corners = {
            {x.index, y.index + 1},
            {x.index + 1, y.index + 1},
            {x.index + 1, y.index},
            {x.index, y.index}
        };
        int[] gathered = new int[4];
        for (int i = 0; i < 4; i++) {
            double[] texel = texel(array, corners[i][0], corners[i][1], 0, face.slice);
            gathered[i] = registers(texel)[channel];
        }
        return gathered;
    }

    // One level.

    /// An index along an axis, and the weight of the next texel in 256ths.
    private record Axis(int index, int weight) {}

    /// A place in the slice of a layer or face.
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Face(float[] coordinates, int slice) {}

    private double[] at(Place place, TexelArray array) {
        Face face = face(place);
        int[] extents = {array.width(), Math.max(1, array.height()), Math.max(1, array.slices())};
        int axes = face.coordinates.length;
        boolean filtered = sampler.filter() == Filter.LINEAR && returnsNumbers();
        if (place.integers && isOutside(face, extents)) {
            return new double[4];
        }
        Axis[] along = new Axis[3];
        for (int axis = 0; axis < 3; axis++) {
            float at = axis < axes ? face.coordinates[axis] : 0;
            if (axis >= Math.max(axes, filtered ? 2 : 0)) {
                along[axis] = new Axis(0, 0);
            } else if (filtered) {
                along[axis] = linear(at, extents[axis], axis, place.offsets);
            } else {
                along[axis] = nearest(at, extents[axis], axis, place.offsets);
            }
        }
        return filtered
                ? mean(array, along, face.slice)
                : texel(array, along[0].index, along[1].index, along[2].index, face.slice);
    }

    private static boolean isOutside(Face face, int[] extents) {
        boolean outside = false;
        for (int axis = 0; axis < face.coordinates.length; axis++) {
            outside |= face.coordinates[axis] < 0 || face.coordinates[axis] >= extents[axis];
        }
        return outside;
    }

    /// The weighted mean of the eight texels around, of which those along axes that the texture
    /// has not are the same.
    private double[] mean(TexelArray array, Axis[] along, int slice) {
        boolean flat = array.slices() == 0;
        int[] weights = weights(along, flat);
        double[] sum = new double[4];
        for (int corner = 0; corner < 8; corner++) {
            if (weights[corner] != 0) {
                double[] texel =
                        texel(
                                array,
                                along[0].index + (corner & 1),
                                along[1].index + (corner >> 1 & 1),
                                along[2].index + (corner >> 2),
                                slice);
                for (int i = 0; i < 4; i++) {
                    sum[i] += texel[i] * weights[corner] / ONE;
                }
            }
        }
        for (int i = 0; i < 4; i++) {
            sum[i] = kept(sum[i]);
        }
        return sum;
    }

    /// The weights of the eight texels around, in 256ths that add up to one: the product of two
    /// is rounded and what is left falls to the others. So an H100 has it; with three axes the
    /// second splits what the others have dealt.
    private static int[] weights(Axis[] along, boolean flat) {
        int x = along[0].weight;
        int other = along[flat ? 1 : 2].weight;
        int both = part(x, other);
        int[] dealt = {ONE - x - other + both, x - both, other - both, both};
        if (flat) {
            return new int[] {dealt[0], dealt[1], dealt[2], dealt[3], 0, 0, 0, 0};
        }
        int[] weights = new int[8];
        for (int i = 0; i < 4; i++) {
            int place = i & 1 | (i & 2) << 1;
            weights[place + 2] = part(dealt[i], along[1].weight);
            weights[place] = dealt[i] - weights[place + 2];
        }
        return weights;
    }

    private static int part(int weight, int fraction) {
        return weight * fraction + ONE / 2 >> FRACTION;
    }

    private double scaled(float coordinate, int extent) {
        return sampler.normalized() ? (double) coordinate * extent : coordinate;
    }

    private Axis nearest(float coordinate, int extent, int axis, int[] offsets) {
        double texels = scaled(coordinate, extent);
        return new Axis((int) Math.floor(texels) + offset(offsets, axis), 0);
    }

    private Axis linear(float coordinate, int extent, int axis, int[] offsets) {
        double texels = scaled(coordinate, extent);
        long fixed = (long) Math.floor(texels * ONE + 0.5) - ONE / 2;
        int index = Math.toIntExact(Math.clamp(fixed >> FRACTION, -(1 << 30), 1 << 30));
        return new Axis(index + offset(offsets, axis), (int) (fixed & ONE - 1));
    }

    private static int offset(int[] offsets, int axis) {
        return axis < offsets.length ? offsets[axis] : 0;
    }

    /// The index that the addressing mode makes of one, or -1 for the border. Coordinates in
    /// texels wrap nowhere.
    private int addressed(int index, int extent, int axis) {
        if (index >= 0 && index < extent) {
            return index;
        }
        Addressing mode = sampler.addressing().get(axis);
        if (!sampler.normalized() && mode != Addressing.BORDER) {
            mode = Addressing.CLAMP;
        }
        return switch (mode) {
            case CLAMP -> Math.clamp(index, 0, extent - 1);
            case BORDER -> -1;
            case WRAP -> Math.floorMod(index, extent);
            case MIRROR -> {
                int within = Math.floorMod(index, 2 * extent);
                yield within < extent ? within : 2 * extent - 1 - within;
            }
        };
    }

    private double[] texel(TexelArray array, int x, int y, int z, int slice) {
        int column = addressed(x, array.width(), 0);
        int row = addressed(y, Math.max(1, array.height()), 1);
        int depth = addressed(z, Math.max(1, array.slices()), 2);
        double[] channels = new double[4];
        boolean outside = column < 0 || row < 0 || depth < 0;
        TexelFormat format = array.format();
        MemorySegment bytes = array.bytes();
        long at = outside ? 0 : array.place(column, row, depth + slice);
        if (!outside) {
            reads.read(array, at);
        }
        for (int i = 0; i < 4; i++) {
            if (outside) {
                channels[i] = i < format.channels() ? border(format, i) : 0;
            } else if (i >= format.channels()) {
                channels[i] = 0;
            } else {
                channels[i] =
                        returnsNumbers()
                                ? number(format, bytes, at, i)
                                : format.integer(bytes, at, i);
            }
        }
        return channels;
    }

    /// The border of integers that are read as numbers lies where they do.
    private double border(TexelFormat format, int channel) {
        float value = sampler.border().get(channel);
        if (!returnsNumbers()) {
            return value;
        }
        return switch (format.channel()) {
            case U8 -> Math.floor(Math.clamp(value, 0f, 1f) * 255.0) / 255;
            case U16 -> Math.floor(Math.clamp(value, 0f, 1f) * 65535.0) / 65535;
            case S8, S16 -> Math.clamp(value, -1f, 1f);
            default -> value;
        };
    }

    private double number(TexelFormat format, MemorySegment bytes, long at, int channel) {
        float value = format.number(bytes, at, channel);
        return sampler.srgb() && channel < 3 ? linearOf(value) : value;
    }

    /// The transfer function of sRGB (IEC 61966-2-1), rounded as on an H100: to eight significant
    /// bits, seven below 2^-6.
    private static double linearOf(float value) {
        double exact = value <= 0.04045 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4);
        double unit = Math.scalb(1.0, Math.getExponent(exact) - (exact < 0x1p-6 ? 6 : 7));
        return Math.rint(exact / unit) * unit;
    }

    /// What filtering leaves of a mean: an H100 keeps halves of halves and sRGB, and 16 bits of
    /// integers that are read as numbers.
    private double kept(double mean) {
        TexelFormat.Channel channel = texture.first().format().channel();
        if (sampler.srgb() || channel == TexelFormat.Channel.F16) {
            return Float.float16ToFloat(Float.floatToFloat16((float) mean));
        }
        if (channel == TexelFormat.Channel.F32) {
            return mean;
        }
        boolean signed = channel == TexelFormat.Channel.S8 || channel == TexelFormat.Channel.S16;
        double most = signed ? 32767 : 65535;
        return Math.floor(mean * most + 0.5) / most;
    }

    // Layers and faces.

    private Face face(Place place) {
        TexelArray array = texture.first();
        int layer =
                place.geometry.layered()
                        ? (int)
                                Math.min(
                                        place.layer & 0xffff_ffffL, Math.max(0, array.layers() - 1))
                        : 0;
        if (!place.geometry.isCube()) {
            return new Face(place.coordinates, layer);
        }
        float x = place.coordinates[0];
        float y = place.coordinates[1];
        float z = place.coordinates[2];
        float s;
        float t;
        float major;
        int face;
        if (Math.abs(z) >= Math.abs(x) && Math.abs(z) >= Math.abs(y)) {
            face = z < 0 ? 5 : 4;
            major = Math.abs(z);
            s = z < 0 ? -x : x;
            t = -y;
        } else if (Math.abs(y) >= Math.abs(x)) {
            face = y < 0 ? 3 : 2;
            major = Math.abs(y);
            s = x;
            t = y < 0 ? -z : z;
        } else {
            face = x < 0 ? 1 : 0;
            major = Math.abs(x);
            s = x < 0 ? z : -z;
            t = -y;
        }
        // Without a direction it is the middle of a face.
        float divisor = major == 0 ? 1 : major;
        float[] within = {(s / divisor + 1) / 2, (t / divisor + 1) / 2};
        return new Face(within, 6 * layer + face);
    }
}
