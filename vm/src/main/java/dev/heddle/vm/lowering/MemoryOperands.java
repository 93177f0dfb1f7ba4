package dev.heddle.vm.lowering;

import dev.heddle.ptx.Operand;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.StateSpace;
import dev.heddle.ptx.instruction.BoundInstruction;
import dev.heddle.ptx.instruction.InstructionKind;
import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.AtomicOperator;
import dev.heddle.vm.ir.MemoryOrder;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Scope;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.ir.Width;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The operands of instructions that access memory: where they point, to which space, in which
/// order, and what the elements of vectors are (PTX ISA 6.4 and 8).
record MemoryOperands(CodeBuilder builder) {
    // `.volatile` and `.mmio` are relaxed, of system scope (PTX ISA 8.4.1, 8.4.2).
    private static final Map<String, MemoryOrder> ORDERS =
            Map.of(
                    "relaxed", MemoryOrder.RELAXED,
                    "volatile", MemoryOrder.RELAXED,
                    "mmio", MemoryOrder.RELAXED,
                    "acquire", MemoryOrder.ACQUIRE,
                    "release", MemoryOrder.RELEASE,
                    "acq_rel", MemoryOrder.ACQ_REL,
                    "sc", MemoryOrder.SC);
    private static final Map<String, Scope> SCOPES =
            Map.of(
                    "cta", Scope.CTA,
                    "cluster", Scope.CLUSTER,
                    "gpu", Scope.GPU,
                    "gl", Scope.GPU,
                    "sys", Scope.SYS,
                    "volatile", Scope.SYS,
                    "mmio", Scope.SYS);

    /// A base and a constant offset.
    record Place(Source base, long offset) {}

    Place place(Operand operand) {
        Place place = placeOf(operand);
        if (place.base().width() == Width.PREDICATE) {
            throw new UnsupportedInstruction("a predicate as address");
        }
        return place;
    }

    private Place placeOf(Operand operand) {
        return switch (operand) {
            case Operand.Address(Operand base, long offset, _, _, _) -> {
                Source source =
                        switch (base) {
                            case Operand.Register register -> builder.registers().of(register);
                            case Operand.Symbol symbol -> builder.frame().address(symbol);
                            default -> builder.read(base, ScalarType.B64);
                        };
                yield new Place(source, offset);
            }
            case Operand.Register register -> new Place(builder.registers().of(register), 0);
            case Operand.Symbol symbol -> new Place(builder.frame().address(symbol), 0);
            default -> throw new UnsupportedInstruction("an address of this kind");
        };
    }

    /// The space of an access: the qualifier, else that of the variable named, else generic.
    /// Parameters of device functions live in their frames, which are local memory.
    Space space(BoundInstruction form, Operand operand) {
        Place place = place(operand);
        if (place.base() instanceof Source.FrameAddress) {
            return Space.LOCAL;
        }
        for (String qualifier : form.instruction().qualifiers()) {
            Optional<Space> space = space(qualifier);
            if (space.isPresent()) {
                return space.get();
            }
        }
        StateSpace known =
                operand instanceof Operand.Address(Operand base, _, _, _, _)
                        ? named(base)
                        : named(operand);
        return known == null ? Space.GENERIC : spaceOf(known);
    }

    /// The spaces that an instruction names, in order.
    static List<Space> spaces(BoundInstruction form) {
        return form.instruction().qualifiers().stream()
                .flatMap(qualifier -> space(qualifier).stream())
                .toList();
    }

    /// Where the next address operand of an instruction points. Where it names several spaces, they
    /// are those of its addresses, in order.
    ///
    /// @param before how many address operands are before it
    Step.Place place(BoundInstruction form, Operand operand, int before) {
        List<Space> named = spaces(form);
        Place place = place(operand);
        return new Step.Place(
                named.size() > 1 && before < named.size()
                        ? named.get(before)
                        : space(form, operand),
                place.base(),
                place.offset());
    }

    /// The space that a qualifier names; empty where it names none (PTX ISA 5.1).
    static Optional<Space> space(String qualifier) {
        return switch (qualifier) {
            case "global" -> Optional.of(Space.GLOBAL);
            case "const" -> Optional.of(Space.CONST);
            case "shared", "shared::cta" -> Optional.of(Space.SHARED);
            case "shared::cluster" -> Optional.of(Space.CLUSTER);
            case "local", "param::func" -> Optional.of(Space.LOCAL);
            case "param", "param::entry" -> Optional.of(Space.PARAM);
            default -> Optional.empty();
        };
    }

    /// Which of [AtomicOperator] an instruction does to each element, if any.
    static Optional<AtomicOperator> operatorOf(BoundInstruction form) {
        return Arrays.stream(AtomicOperator.values())
                .filter(operator -> form.has(operator.qualifier()))
                .findFirst();
    }

    /// What an atomic operation or a reduction does.
    static AtomicOperator operator(BoundInstruction form) {
        return operatorOf(form).orElseThrow();
    }

    /// The space of the variable an operand names, or null.
    private static @Nullable StateSpace named(Operand operand) {
        return operand instanceof Operand.Symbol symbol && symbol.variable() != null
                ? symbol.variable().space()
                : null;
    }

    private static Space spaceOf(StateSpace space) {
        return switch (space) {
            case GLOBAL -> Space.GLOBAL;
            case CONST -> Space.CONST;
            case SHARED -> Space.SHARED;
            case LOCAL -> Space.LOCAL;
            case PARAM -> Space.PARAM;
            case REG, SREG, TEX -> throw new UnsupportedInstruction("this state space");
        };
    }

    static MemoryOrder order(BoundInstruction form, MemoryOrder otherwise) {
        return named(form, ORDERS, otherwise);
    }

    static Scope scope(BoundInstruction form, Scope otherwise) {
        return named(form, SCOPES, otherwise);
    }

    private static <T> T named(BoundInstruction form, Map<String, T> words, T otherwise) {
        return form.instruction().qualifiers().stream()
                .filter(words::containsKey)
                .findFirst()
                .map(words::get)
                .orElse(otherwise);
    }

    /// What an access of an instruction is, where it does not say otherwise: relaxed and for the
    /// whole device of `atom` and `red` (PTX ISA 9.7.13.5), else weak.
    Access access(BoundInstruction form, Space space) {
        ScalarType type = form.types().isEmpty() ? ScalarType.B8 : form.type();
        boolean updates =
                switch (form.kind()) {
                    case ATOMIC, REDUCE, ASYNC_REDUCE -> true;
                    default -> false;
                };
        // The order of `tensormap.cp_fenceproxy` is that of its fence.
        MemoryOrder order =
                form.kind() == InstructionKind.TENSOR_MAP_FENCE
                        ? MemoryOrder.WEAK
                        : order(form, updates ? MemoryOrder.RELAXED : MemoryOrder.WEAK);
        return new Access(
                space,
                updates ? updatedBytes(type) : wordBytes(type),
                !updates && WorkingTypes.isSigned(type),
                order,
                scope(form, updates ? Scope.GPU : Scope.CTA));
    }

    /// A 128-bit value moves as two halves, aligned together.
    private static int wordBytes(ScalarType type) {
        return Math.min(type.bytes(), Long.BYTES);
    }

    /// Of a packed type each half is updated by itself: there is no atomicity over both (PTX ISA
    /// 8.2.5, 9.7.13.5).
    private static int updatedBytes(ScalarType type) {
        return switch (type) {
            case F16X2, BF16X2 -> Short.BYTES;
            default -> wordBytes(type);
        };
    }

    /// The registers that the elements of a vector go to; null for a sink.
    List<@Nullable Register> targets(Operand operand, ScalarType type) {
        List<@Nullable Register> targets = new ArrayList<>();
        for (Operand element : elements(operand)) {
            targets.addAll(targetsOf(element, type));
        }
        return targets;
    }

    /// The registers an element goes to: two for 128 bits; null for a sink.
    private List<@Nullable Register> targetsOf(Operand element, ScalarType type) {
        if (type == ScalarType.B128) {
            return builder.wideDestination(element);
        }
        return Collections.singletonList(
                element instanceof Operand.Sink
                        ? null
                        : builder.destination(element, CodeBuilder.widthOf(type)));
    }

    /// The values of an operand, which may be a vector: two for each 128 bits.
    List<Source> values(Operand operand, ScalarType type) {
        List<Source> values = new ArrayList<>();
        for (Operand element : elements(operand)) {
            if (type == ScalarType.B128) {
                CodeBuilder.Wide wide = builder.readWide(element);
                values.add(wide.low());
                values.add(wide.high());
            } else {
                values.add(builder.read(element, type));
            }
        }
        return values;
    }

    static List<Operand> elements(Operand operand) {
        return operand instanceof Operand.Vector vector ? vector.elements() : List.of(operand);
    }
}
