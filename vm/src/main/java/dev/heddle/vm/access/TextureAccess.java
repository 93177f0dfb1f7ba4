package dev.heddle.vm.access;

import dev.heddle.vm.ir.AccessKind;
import dev.heddle.vm.ir.Geometry;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.TextureStep;
import dev.heddle.vm.ir.TextureStep.Sample.Sampling;
import dev.heddle.vm.ir.TextureStep.Sample.Sampling.Detail;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.texture.TexelArray;
import dev.heddle.vm.texture.Texture;
import dev.heddle.vm.texture.TextureQuery;
import dev.heddle.vm.texture.TextureUnit;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// `tex`, `tld4`, `txq`, `suq` and `istypep` (PTX ISA 9.7.10 and 9.7.11), lane by lane.
///
/// @param checks who is told what lanes touch, or null where nobody asks
public record TextureAccess(TextureHandles handles, @Nullable TexelChecks checks) {
    private static float number(Frame frame, Source source, int lane, boolean integer) {
        int bits = (int) frame.value(source, lane);
        return integer ? bits : Float.intBitsToFloat(bits);
    }

    /// `tex` and `tld4`.
    public void sample(Frame frame, TextureStep.Sample step, int lanes) {
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            long value = frame.value(step.texture(), lane);
            TextureUnit unit = unit(step, handles.texture(step.site(), lane, value), lane);
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
        tellOfReads(step);
    }

    /// What reads a texture for a lane, and tells the checks of it.
    private TextureUnit unit(TextureStep.Sample step, Texture texture, int lane) {
        TexelChecks told = checks;
        if (told == null) {
            return new TextureUnit(texture);
        }
        int bytes = texture.first().format().bytes();
        if (told.isOfAnother(bytes)) {
            tellOfReads(step);
        }
        return new TextureUnit(texture, (array, at) -> told.touch(array, at, bytes, lane));
    }

    private void tellOfReads(TextureStep.Sample step) {
        if (checks != null) {
            checks.tell(step.site(), AccessKind.LOAD, null);
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

    // Queries.

    /// `txq`, `suq` and `istypep`.
    public void query(Frame frame, TextureStep.Query step, int lanes) {
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            long value = frame.value(step.texture(), lane);
            int answer;
            if (step.query().endsWith("ref")) {
                boolean is =
                        step.query().equals("texref") && handles.find(value) != null
                                || step.query().equals("surfref")
                                        && handles.findSurface(value) != null;
                answer = is ? 1 : 0;
            } else if (step.surface()) {
                TexelArray surface = handles.surface(step.site(), lane, value);
                answer = TextureQuery.of(surface, step.query());
            } else {
                Texture texture = handles.texture(step.site(), lane, value);
                int level = step.level() == null ? 0 : (int) frame.value(step.level(), lane);
                answer = TextureQuery.of(texture, step.query(), level);
            }
            frame.set(step.target(), lane, answer & 0xffff_ffffL);
        }
    }
}
