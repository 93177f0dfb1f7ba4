package dev.heddle.conformance.ptxas;

import dev.heddle.isa.Family;
import dev.heddle.isa.Form;
import dev.heddle.isa.Forms;
import dev.heddle.isa.Operand;
import dev.heddle.isa.PtxVersion;
import dev.heddle.isa.RegisterType;
import dev.heddle.isa.SourceOperand;
import dev.heddle.isa.Syntax;
import dev.heddle.isa.Target;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

/// Deals candidates: two of five legal, the others with one thing changed.
///
/// Families come up equally often, and of a family its syntax lines, so that the many widths of
/// wgmma do not crowd out the rest.
public final class Candidates {
    /// The versions at which something of the model begins and those just before; the last, which
    /// `ptxas` 13.0 does not know, one in ten times as often.
    static final List<PtxVersion> VERSIONS = versions();

    /// Of each family the forms of each of its syntax lines.
    private static final List<List<List<Form>>> FORMS = forms();

    private final Random random;

    /// @param seed equal seeds deal equal candidates
    public Candidates(long seed) {
        random = new Random(seed);
    }

    private static List<PtxVersion> versions() {
        String known = "6.3 6.4 6.5 7.0 7.1 7.3 7.4 7.8 8.0 8.1 8.2 8.3 8.4 8.5 8.6 8.7 8.8 9.0 ";
        return Stream.of((known.repeat(10) + "9.1").split(" ")).map(PtxVersion::parse).toList();
    }

    private static List<List<List<Form>>> forms() {
        List<List<List<Form>>> families = new ArrayList<>();
        for (Family family : Family.values()) {
            Map<Syntax, List<Form>> lines = new LinkedHashMap<>();
            for (Form form : Forms.of(family)) {
                lines.computeIfAbsent(form.syntax(), key -> new ArrayList<>()).add(form);
            }
            families.add(List.copyOf(lines.values()));
        }
        return List.copyOf(families);
    }

    /// The next candidate.
    public Candidate next() {
        Candidate legal = legal();
        if (random.nextInt(5) < 2) {
            return legal;
        }
        while (true) {
            NearMiss change = pick(List.of(NearMiss.values()), random);
            Optional<Candidate> changed = change.apply(legal, random);
            if (changed.isPresent() && !changed.get().equals(legal)) {
                return changed.get().with(change);
            }
        }
    }

    private Candidate legal() {
        Form form = pick(pick(pick(FORMS, random), random), random);
        Target target = pick(form.requirement().supported(), random);
        PtxVersion least = form.requirement().version();
        List<PtxVersion> versions =
                VERSIONS.stream()
                        .filter(version -> version.atLeast(least))
                        .filter(version -> version.atLeast(target.since()))
                        .toList();
        return new Candidate(
                Optional.empty(),
                List.of(form.opcode().split("\\.")),
                operands(form),
                target,
                pick(versions, random));
    }

    private List<SourceOperand> operands(Form form) {
        List<SourceOperand> operands = new ArrayList<>();
        int number = 0;
        for (Operand operand : form.operands()) {
            operands.add(written(form, operand, number));
            number += operand instanceof Operand.Matrix matrix ? matrix.registers() : 2;
        }
        return operands;
    }

    private SourceOperand written(Form form, Operand operand, int number) {
        return switch (operand) {
            case Operand.Matrix matrix ->
                    withoutOne(
                            matrix.name().equals("d"),
                            form.family().warpgroup(),
                            vector(accepted(matrix.accepts()), matrix.registers(), number));
            case Operand.Descriptor _ ->
                    Candidate.register(accepted(RegisterType.Accepts.INTEGER_64), number);
            case Operand.MetadataWord _, Operand.ScaleData _ ->
                    Candidate.register(accepted(RegisterType.Accepts.ANY_32), number);
            case Operand.Selector selector -> constant(selector.legal());
            case Operand.ScaleSelector selector ->
                    random.nextInt(3) == 0
                            ? vector(accepted(RegisterType.Accepts.INTEGER_16), 2, number)
                            : new SourceOperand.Vector(
                                    List.of(
                                            constant(selector.byteIds()),
                                            constant(selector.threadIds())));
            case Operand.ScaleD _ ->
                    random.nextInt(4) == 0
                            ? new SourceOperand.IntegerConstant(random.nextInt(2))
                            : Candidate.register(RegisterType.PRED, number);
            case Operand.Immediate immediate -> constant(immediate.legal());
        };
    }

    /// Now and then a vector with `_` or a constant in place of one register, not of the only one.
    private SourceOperand withoutOne(
            boolean written, boolean alsoRead, SourceOperand.Vector registers) {
        List<SourceOperand> elements = new ArrayList<>(registers.elements());
        if (written && alsoRead || elements.size() == 1 || random.nextInt(6) > 0) {
            return registers;
        }
        int place = random.nextInt(elements.size());
        SourceOperand register = elements.get(place);
        RegisterType type = ((SourceOperand.Register) register).type().orElseThrow();
        elements.set(
                place,
                written
                        ? new SourceOperand.Sink()
                        : switch (type) {
                            case F32 -> new SourceOperand.FloatConstant("0f3F800000");
                            case F64 -> new SourceOperand.FloatConstant("0d3FF0000000000000");
                            case F16X2 -> register;
                            default -> new SourceOperand.IntegerConstant(random.nextInt(100));
                        });
        return new SourceOperand.Vector(elements);
    }

    /// The manual's own type, or now and then another that the model accepts.
    private RegisterType accepted(RegisterType.Accepts accepts) {
        return random.nextInt(3) > 0 ? accepts.declared() : pick(accepts.all(), random);
    }

    private SourceOperand constant(List<Integer> values) {
        return new SourceOperand.IntegerConstant(pick(values, random));
    }

    private static SourceOperand.Vector vector(RegisterType type, int registers, int number) {
        List<SourceOperand> elements = new ArrayList<>();
        for (int i = 0; i < registers; i++) {
            elements.add(Candidate.register(type, number + i));
        }
        return new SourceOperand.Vector(elements);
    }

    static <T> T pick(List<T> values, Random random) {
        return values.get(random.nextInt(values.size()));
    }
}
