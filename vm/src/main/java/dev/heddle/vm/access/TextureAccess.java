package dev.heddle.vm.access;

import dev.heddle.formats.Counted;
import dev.heddle.isa.rule.Rule;
import dev.heddle.ptx.ScalarType;
import dev.heddle.vm.ir.Addresses;
import dev.heddle.vm.ir.AtomicOperator;
import dev.heddle.vm.ir.Geometry;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.ir.TextureStep;
import dev.heddle.vm.ir.TextureStep.AccessSurface.Bounds;
import dev.heddle.vm.ir.TextureStep.AccessSurface.Movement;
import dev.heddle.vm.ir.TextureStep.Sample.Sampling;
import dev.heddle.vm.ir.TextureStep.Sample.Sampling.Detail;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.Warp;
import dev.heddle.vm.texture.TexelArray;
import dev.heddle.vm.texture.Texture;
import dev.heddle.vm.texture.TextureQuery;
import dev.heddle.vm.texture.TextureTable;
import dev.heddle.vm.texture.TextureUnit;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/// `tex`, `tld4`, `suld`, `sust`, `sured`, `txq`, `suq` and `istypep` (PTX ISA 9.7.10 and 9.7.11),
/// lane by lane.
public record TextureAccess(Warp warp) {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private TextureTable table() {
        return warp.cta().grid().global().textures();
    }

    /// The handle that a value is, or that stands at the address that it is.
    private long handle(long value) {
        long offset = value - Addresses.GLOBAL;
        MemorySegment memory = warp.cta().grid().global().segment();
        return TextureTable.isHandle(value) || offset < 0 || offset + Long.BYTES > memory.byteSize()
                ? value
                : memory.get(LONG, offset);
    }

    private RuntimeException unknown(Site site, int lane, long value, String what) {
        return warp.faults()
                .undefined(
                        Rule.UNKNOWN_TEXTURE,
                        site,
                        1 << lane,
                        "%s of 0x%x, which is no %s".formatted(site.mnemonic(), value, what));
    }

    private static float number(Frame frame, Source source, int lane, boolean integer) {
        int bits = (int) frame.value(source, lane);
        return integer ? bits : Float.intBitsToFloat(bits);
    }

    // Textures.

    /// `tex` and `tld4`.
    public void sample(Frame frame, TextureStep.Sample step, int lanes) {
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            long value = frame.value(step.texture(), lane);
            Texture texture = table().texture(handle(value));
            if (texture == null) {
                throw unknown(step.site(), lane, value, "texture");
            }
            TextureUnit unit = new TextureUnit(texture);
            Sampling sampling = step.sampling();
            TextureUnit.Place place = place(frame, step, lane);
            int[] read =
                    sampling.gathered() >= 0
                            ? unit.gather(place, sampling.gathered())
                            : unit.read(place, level(frame, step, unit, lane));
            put(frame, step, lane, read, unit.returnsNumbers());
            if (step.resident() != null) {
                frame.set(step.resident(), lane, 1);
            }
        }
    }

    private static TextureUnit.Place place(Frame frame, TextureStep.Sample step, int lane) {
        Geometry geometry = step.sampling().geometry();
        int first = geometry.layered() ? 1 : 0;
        float[] coordinates = new float[geometry.axes()];
        for (int i = 0; i < coordinates.length; i++) {
            Source source = step.coordinates().get(first + i);
            coordinates[i] = number(frame, source, lane, step.sampling().integers());
        }
        int[] offsets =
                step.offsets().stream()
                        .mapToInt(source -> (int) frame.value(source, lane))
                        .toArray();
        int layer = first == 0 ? 0 : (int) frame.value(step.coordinates().getFirst(), lane);
        return new TextureUnit.Place(
                geometry, layer, coordinates, step.sampling().integers(), offsets);
    }

    private static float level(Frame frame, TextureStep.Sample step, TextureUnit unit, int lane) {
        Sampling sampling = step.sampling();
        if (sampling.detail() == Detail.BASE) {
            return Float.NEGATIVE_INFINITY;
        }
        if (sampling.detail() == Detail.LEVEL) {
            return number(frame, step.detail().getFirst(), lane, sampling.integers());
        }
        int axes = sampling.geometry().axes();
        float[] derivatives = new float[2 * axes];
        for (int i = 0; i < derivatives.length; i++) {
            derivatives[i] = number(frame, step.detail().get(i), lane, false);
        }
        return unit.levelOf(derivatives);
    }

    private static void put(
            Frame frame, TextureStep.Sample step, int lane, int[] read, boolean numbers) {
        List<@Nullable Register> targets = step.targets();
        for (int i = 0; i < targets.size(); i++) {
            Register target = targets.get(i);
            if (target == null) {
                continue;
            }
            long bits =
                    switch (step.sampling().result()) {
                        case F16 -> half(read[i], numbers);
                        case F16X2 ->
                                half(read[2 * i], numbers) | half(read[2 * i + 1], numbers) << 16;
                        default -> read[i] & 0xffff_ffffL;
                    };
            frame.set(target, lane, bits);
        }
    }

    private static long half(int bits, boolean number) {
        return (number ? Float.floatToFloat16(Float.intBitsToFloat(bits)) : bits) & 0xffffL;
    }

    // Surfaces.

    /// `suld`, `sust` and `sured`.
    public void access(Frame frame, TextureStep.AccessSurface step, int lanes) {
        warp.changed();
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            long value = frame.value(step.surface(), lane);
            TexelArray surface = table().surface(handle(value));
            if (surface == null) {
                throw unknown(step.site(), lane, value, "surface");
            }
            access(frame, step, surface, lane);
        }
    }

    private void access(Frame frame, TextureStep.AccessSurface step, TexelArray surface, int lane) {
        int texel = surface.format().bytes();
        int each = step.type().bytes();
        int count = Math.max(1, Math.max(step.targets().size(), step.values().size()));
        int bytes = step.movement() == Movement.STORE_FORMATTED ? texel : each * count;
        long[] at = bytesAndRows(frame, step, texel, lane);
        if (at[0] % bytes != 0) {
            throw misaligned(step.site(), lane, bytes, at[0]);
        }
        long[] most = {
            (long) surface.width() * texel - bytes,
            Math.max(1, surface.height()) - 1,
            Math.max(1, surface.depth()) - 1
        };
        boolean inside = true;
        for (int axis = 0; axis < 3; axis++) {
            inside &= at[axis] >= 0 && at[axis] <= most[axis];
            at[axis] = Math.clamp(at[axis], 0, Math.max(0, most[axis]));
        }
        boolean fits = most[0] >= 0; // else there is no nearest place for it
        if (!inside && (step.bounds() == Bounds.TRAP || step.bounds() == Bounds.CLAMP && !fits)) {
            throw outside(step.site(), lane, bytes, surface);
        }
        long place = at[2] * surface.slicePitch() + at[1] * surface.rowPitch() + at[0];
        if (inside || step.bounds() == Bounds.CLAMP) {
            access(frame, step, surface, place, count, lane);
        } else if (step.movement() == Movement.LOAD) {
            load(frame, step, null, place, lane);
        }
    }

    /// @param place of the texel, from the start of the surface
    /// @param count of elements
    private static void access(
            Frame frame,
            TextureStep.AccessSurface step,
            TexelArray surface,
            long place,
            int count,
            int lane) {
        int each = step.type().bytes();
        switch (step.movement()) {
            case LOAD -> load(frame, step, surface.bytes(), place, lane);
            case STORE -> {
                for (int i = 0; i < count; i++) {
                    long stored = frame.value(step.values().get(i), lane);
                    MemoryUnit.writeBytes(surface.bytes(), place + (long) i * each, each, stored);
                }
            }
            case STORE_FORMATTED -> {
                for (int i = 0; i < surface.format().channels(); i++) {
                    int stored = i < count ? (int) frame.value(step.values().get(i), lane) : 0;
                    surface.format().store(surface.bytes(), place, i, stored);
                }
            }
            case REDUCE, REDUCE_FORMATTED -> reduce(frame, step, surface, place, lane);
        }
    }

    private RuntimeException misaligned(Site site, int lane, int bytes, long at) {
        return warp.faults()
                .undefined(
                        Rule.MISALIGNED_ACCESS,
                        site,
                        1 << lane,
                        "%s of %s at byte %d of a row, which is not a multiple of %d"
                                .formatted(site.mnemonic(), Counted.bytes(bytes), at, bytes));
    }

    private RuntimeException outside(Site site, int lane, int bytes, TexelArray surface) {
        return warp.faults()
                .undefined(
                        Rule.SURFACE_TRAP,
                        site,
                        1 << lane,
                        "%s of %s outside the surface of %d x %d x %d texels of %s"
                                .formatted(
                                        site.mnemonic(),
                                        Counted.bytes(bytes),
                                        surface.width(),
                                        surface.height(),
                                        surface.depth(),
                                        Counted.bytes(surface.format().bytes())));
    }

    /// The coordinates, the first in bytes.
    ///
    /// @param texel bytes of one
    private static long[] bytesAndRows(
            Frame frame, TextureStep.AccessSurface step, int texel, int lane) {
        long[] at = coordinates(frame, step, lane);
        at[0] *=
                switch (step.movement()) {
                    case STORE_FORMATTED -> texel;
                    case REDUCE_FORMATTED -> step.type().bytes();
                    case LOAD, STORE, REDUCE -> 1;
                };
        return at;
    }

    /// Coordinates are signed, but that a layer is unsigned (PTX ISA 9.7.11.1).
    private static long[] coordinates(Frame frame, TextureStep.AccessSurface step, int lane) {
        long[] at = new long[3];
        boolean layered = step.geometry().layered();
        int first = layered ? 1 : 0;
        for (int axis = 0; axis < step.geometry().axes(); axis++) {
            at[axis] = (int) frame.value(step.coordinates().get(first + axis), lane);
        }
        if (layered) {
            at[2] = frame.value(step.coordinates().getFirst(), lane) & 0xffff_ffffL;
        }
        return at;
    }

    private static void load(
            Frame frame,
            TextureStep.AccessSurface step,
            @Nullable MemorySegment memory,
            long place,
            int lane) {
        int each = step.type().bytes();
        for (int i = 0; i < step.targets().size(); i++) {
            Register target = step.targets().get(i);
            if (target != null) {
                long bits =
                        memory == null
                                ? 0
                                : MemoryUnit.readBytes(memory, place + (long) i * each, each);
                frame.set(target, lane, bits);
            }
        }
    }

    private static void reduce(
            Frame frame, TextureStep.AccessSurface step, TexelArray surface, long place, int lane) {
        AtomicOperator operator = step.operator();
        if (operator == null) {
            throw new IllegalStateException(step.site() + " without an operator");
        }
        ScalarType type = step.type();
        if (step.movement() == Movement.REDUCE_FORMATTED) {
            boolean signed = surface.format().channel().isSignedInteger();
            type =
                    type.bits() == 64
                            ? signed ? ScalarType.S64 : ScalarType.U64
                            : signed ? ScalarType.S32 : ScalarType.U32;
        }
        long operand = frame.value(step.values().getFirst(), lane);
        Combination combination = new Combination(operator, type, Space.GLOBAL);
        if (place % type.bytes() == 0) {
            combination.update(surface.bytes(), place, operand, 0);
        } else { // rows are packed here, on a GPU they are not
            synchronized (surface) {
                long before = MemoryUnit.readBytes(surface.bytes(), place, type.bytes());
                long after = combination.combine(before, operand, 0);
                MemoryUnit.writeBytes(surface.bytes(), place, type.bytes(), after);
            }
        }
    }

    // Queries.

    /// `txq`, `suq` and `istypep`.
    public void query(Frame frame, TextureStep.Query step, int lanes) {
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            long value = frame.value(step.texture(), lane);
            Texture texture = table().texture(handle(value));
            TexelArray surface = table().surface(handle(value));
            int answer;
            if (step.query().endsWith("ref")) {
                boolean is =
                        step.query().equals("texref") && texture != null
                                || step.query().equals("surfref") && surface != null;
                answer = is ? 1 : 0;
            } else if (step.surface()) {
                if (surface == null) {
                    throw unknown(step.site(), lane, value, "surface");
                }
                answer = TextureQuery.of(surface, step.query());
            } else {
                if (texture == null) {
                    throw unknown(step.site(), lane, value, "texture");
                }
                int level = step.level() == null ? 0 : (int) frame.value(step.level(), lane);
                answer = TextureQuery.of(texture, step.query(), level);
            }
            frame.set(step.target(), lane, answer & 0xffff_ffffL);
        }
    }
}
