package dev.heddle.vm.lowering;

import static dev.heddle.ptx.ScalarType.B32;
import static dev.heddle.ptx.ScalarType.F32;
import static dev.heddle.ptx.ScalarType.S32;

import dev.heddle.ptx.Operand;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.instruction.BoundInstruction;
import dev.heddle.ptx.instruction.InstructionKind;
import dev.heddle.vm.ir.Geometry;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.TextureStep;
import dev.heddle.vm.ir.TextureStep.AccessSurface.Bounds;
import dev.heddle.vm.ir.TextureStep.AccessSurface.Movement;
import dev.heddle.vm.ir.TextureStep.Sample.Sampling;
import dev.heddle.vm.ir.Width;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// Textures and surfaces (PTX ISA 9.7.10 and 9.7.11).
record TextureLowering(CodeBuilder builder, MemoryOperands memory) {
    /// What is in the brackets.
    private record Named(Source handle, List<Operand> coordinates) {}

    private Named named(BoundInstruction form, Operand operand) {
        if (!(operand instanceof Operand.AddressList(List<Operand> parts, _))) {
            throw new UnsupportedInstruction(form);
        }
        if (parts.size() > 2) {
            throw new UnsupportedInstruction("a sampler apart from its texture");
        }
        return new Named(
                memory.place(parts.getFirst()).base(), MemoryOperands.elements(parts.getLast()));
    }

    /// `tex` and `tld4`.
    void sample(BoundInstruction form) {
        String word = word(form);
        if (word.endsWith("dms")) {
            throw new UnsupportedInstruction("a texture of several samples");
        }
        Geometry geometry = Geometry.of(word);
        boolean integers = form.types().getLast() == S32;
        Operand first = form.operand(0);
        Operand second = null;
        if (first instanceof Operand.Pair(Operand left, Operand right, _)) {
            first = left;
            second = right;
        }
        Named texture = named(form, form.operand(1));
        int next = 2;
        Sampling.Detail level = detail(form);
        List<Source> detail = new ArrayList<>();
        switch (level) {
            case BASE -> {}
            case LEVEL -> detail.add(builder.read(form.operand(next++), integers ? S32 : F32));
            case GRADIENT -> {
                read(detail, form.operand(next++), geometry.axes(), F32);
                read(detail, form.operand(next++), geometry.axes(), F32);
            }
        }
        List<Source> offsets = new ArrayList<>();
        if (next < form.operands().size() && form.operand(next) instanceof Operand.Vector given) {
            read(offsets, given, Math.min(given.elements().size(), geometry.axes()), S32);
            next++;
        }
        if (next < form.operands().size()) {
            throw new UnsupportedInstruction("a comparison with a depth");
        }
        boolean gathers = form.kind() == InstructionKind.TEXTURE_GATHER;
        int gathered = gathers ? "rgba".indexOf(form.oneOf("r", "g", "b", "a")) : -1;
        builder.add(
                new TextureStep.Sample(
                        builder.site(),
                        builder.guard(),
                        new Sampling(geometry, level, gathered, form.type(0), integers),
                        targets(first),
                        second == null ? null : builder.destination(second, Width.PREDICATE),
                        texture.handle,
                        coordinates(texture, geometry, integers ? S32 : F32),
                        detail,
                        offsets));
    }

    private static Sampling.Detail detail(BoundInstruction form) {
        if (form.has("level")) {
            return Sampling.Detail.LEVEL;
        }
        return form.has("grad") ? Sampling.Detail.GRADIENT : Sampling.Detail.BASE;
    }

    private static String word(BoundInstruction form) {
        String word = form.word("geom");
        return word == null ? form.oneOf("1d", "2d", "3d", "a1d", "a2d", "cube", "acube") : word;
    }

    private void read(List<Source> sources, Operand operand, int count, ScalarType type) {
        List<Operand> elements = MemoryOperands.elements(operand);
        for (int i = 0; i < count; i++) {
            sources.add(builder.read(elements.get(i), type));
        }
    }

    /// The layer first, where there is one.
    private List<Source> coordinates(Named named, Geometry geometry, ScalarType type) {
        List<Source> sources = new ArrayList<>();
        int layers = geometry.layered() ? 1 : 0;
        for (int i = 0; i < layers + geometry.axes(); i++) {
            Operand coordinate = named.coordinates.get(i);
            sources.add(builder.read(coordinate, i < layers ? B32 : type));
        }
        return sources;
    }

    private List<@Nullable Register> targets(Operand operand) {
        List<@Nullable Register> targets = new ArrayList<>();
        for (Operand element : MemoryOperands.elements(operand)) {
            targets.add(
                    element instanceof Operand.Sink
                            ? null
                            : builder.destination(element, Width.WORD));
        }
        return targets;
    }

    /// `suld`, `sust` and `sured`.
    void surface(BoundInstruction form) {
        boolean loads = form.kind() == InstructionKind.SURFACE_LOAD;
        boolean reduces = form.kind() == InstructionKind.SURFACE_REDUCE;
        boolean formatted = form.has("p");
        ScalarType type = form.type();
        Named surface = named(form, form.operand(loads ? 1 : 0));
        List<@Nullable Register> targets =
                loads ? memory.targets(form.operand(0), type) : List.of();
        Geometry geometry = Geometry.of(word(form));
        Movement movement =
                loads
                        ? Movement.LOAD
                        : reduces
                                ? formatted ? Movement.REDUCE_FORMATTED : Movement.REDUCE
                                : formatted ? Movement.STORE_FORMATTED : Movement.STORE;
        builder.add(
                new TextureStep.AccessSurface(
                        builder.site(),
                        builder.guard(),
                        movement,
                        geometry,
                        switch (form.oneOf("trap", "clamp", "zero")) {
                            case "trap" -> Bounds.TRAP;
                            case "clamp" -> Bounds.CLAMP;
                            default -> Bounds.ZERO;
                        },
                        type,
                        reduces ? MemoryOperands.operator(form) : null,
                        targets,
                        surface.handle,
                        coordinates(surface, geometry, S32),
                        loads ? List.of() : memory.values(form.operand(1), type)));
    }

    /// `txq`, `suq` and `istypep`: the word says what is asked.
    void query(BoundInstruction form) {
        boolean type = form.kind() == InstructionKind.IS_OPAQUE;
        boolean level = form.has("level");
        List<String> words = form.instruction().qualifiers();
        String asked = words.get(level ? 1 : 0);
        Source handle =
                type
                        ? builder.read(form.operand(1), ScalarType.B64)
                        : memory.place(form.operand(1)).base();
        builder.add(
                new TextureStep.Query(
                        builder.site(),
                        builder.guard(),
                        asked,
                        form.kind() == InstructionKind.SURFACE_QUERY,
                        handle,
                        level ? builder.read(form.operand(2), S32) : null,
                        builder.destination(form.operand(0), type ? Width.PREDICATE : Width.WORD)));
    }
}
