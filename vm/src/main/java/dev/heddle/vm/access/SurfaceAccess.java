package dev.heddle.vm.access;

import dev.heddle.formats.Counted;
import dev.heddle.isa.rule.Rule;
import dev.heddle.ptx.ScalarType;
import dev.heddle.vm.ir.AccessKind;
import dev.heddle.vm.ir.AtomicOperator;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.ir.TextureStep;
import dev.heddle.vm.ir.TextureStep.AccessSurface.Bounds;
import dev.heddle.vm.ir.TextureStep.AccessSurface.Movement;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.Warp;
import dev.heddle.vm.texture.TexelArray;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;

/// `suld`, `sust` and `sured` (PTX ISA 9.7.11), lane by lane.
///
/// @param checks who is told what lanes touch, or null where nobody asks
public record SurfaceAccess(Warp warp, TextureHandles handles, @Nullable TexelChecks checks) {
    /// The most bytes that a lane stores.
    private static final int MOST = 16;

    /// Bytes of a surface.
    ///
    /// @param place of the first, from its start
    private record Bytes(TexelArray surface, long place, int count) {}

    /// `suld`, `sust` and `sured`.
    public void access(Frame frame, TextureStep.AccessSurface step, int lanes) {
        warp.changed();
        @Nullable Bytes[] at = new Bytes[32];
        MemorySegment stored = MemorySegment.ofArray(new long[32 * MOST / Long.BYTES]);
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            long value = frame.value(step.surface(), lane);
            TexelArray surface = handles.surface(step.site(), lane, value);
            Bytes bytes = locate(frame, step, surface, lane);
            at[lane] = bytes;
            if (bytes != null) {
                encode(frame, step, surface, stored.asSlice((long) lane * MOST, MOST), lane);
            }
        }
        tell(step, at, stored);
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            access(frame, step, at[lane], stored.asSlice((long) lane * MOST, MOST), lane);
        }
    }

    /// The bytes that a lane accesses; null where that are none.
    private @Nullable Bytes locate(
            Frame frame, TextureStep.AccessSurface step, TexelArray surface, int lane) {
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
        return inside || step.bounds() == Bounds.CLAMP ? new Bytes(surface, place, bytes) : null;
    }

    /// The bytes that a lane stores.
    private static void encode(
            Frame frame,
            TextureStep.AccessSurface step,
            TexelArray surface,
            MemorySegment into,
            int lane) {
        int count = step.values().size();
        int each = step.type().bytes();
        switch (step.movement()) {
            case STORE -> {
                for (int i = 0; i < count; i++) {
                    long value = frame.value(step.values().get(i), lane);
                    MemoryUnit.writeBytes(into, (long) i * each, each, value);
                }
            }
            case STORE_FORMATTED -> {
                for (int i = 0; i < surface.format().channels(); i++) {
                    int value = i < count ? (int) frame.value(step.values().get(i), lane) : 0;
                    surface.format().store(into, 0, i, value);
                }
            }
            case LOAD, REDUCE, REDUCE_FORMATTED -> {}
        }
    }

    /// Tells the checks of an access that lanes are about to make.
    private void tell(TextureStep.AccessSurface step, @Nullable Bytes[] at, MemorySegment stored) {
        TexelChecks told = checks;
        if (told == null) {
            return;
        }
        AccessKind kind =
                switch (step.movement()) {
                    case LOAD -> AccessKind.LOAD;
                    case STORE, STORE_FORMATTED -> AccessKind.STORE;
                    case REDUCE, REDUCE_FORMATTED -> AccessKind.ATOMIC;
                };
        TexelChecks.Image image =
                (lane, from, count) ->
                        MemoryUnit.readBytes(stored, (long) lane * MOST + from, count);
        for (int lane = 0; lane < 32; lane++) {
            Bytes bytes = at[lane];
            if (bytes != null) {
                if (told.isOfAnother(bytes.count)) {
                    told.tell(step.site(), kind, image);
                }
                told.touch(bytes.surface, bytes.place, bytes.count, lane);
            }
        }
        told.tell(step.site(), kind, image);
    }

    /// @param bytes null where there are none
    private static void access(
            Frame frame,
            TextureStep.AccessSurface step,
            @Nullable Bytes bytes,
            MemorySegment stored,
            int lane) {
        switch (step.movement()) {
            case LOAD -> load(frame, step, bytes, lane);
            case STORE, STORE_FORMATTED -> {
                int unit = bytes == null ? 1 : Math.min(bytes.count, Long.BYTES);
                for (int i = 0; bytes != null && i < bytes.count; i += unit) {
                    long value = MemoryUnit.readBytes(stored, i, unit);
                    MemoryUnit.writeBytes(bytes.surface.bytes(), bytes.place + i, unit, value);
                }
            }
            case REDUCE, REDUCE_FORMATTED -> {
                if (bytes != null) {
                    reduce(frame, step, bytes.surface, bytes.place, lane);
                }
            }
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
            Frame frame, TextureStep.AccessSurface step, @Nullable Bytes from, int lane) {
        int each = step.type().bytes();
        for (int i = 0; i < step.targets().size(); i++) {
            Register target = step.targets().get(i);
            if (target != null) {
                long bits =
                        from == null
                                ? 0
                                : MemoryUnit.readBytes(
                                        from.surface.bytes(), from.place + (long) i * each, each);
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
}
