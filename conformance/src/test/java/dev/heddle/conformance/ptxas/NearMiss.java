package dev.heddle.conformance.ptxas;

import static dev.heddle.conformance.ptxas.Candidates.pick;

import dev.heddle.isa.RegisterType;
import dev.heddle.isa.SourceOperand;
import dev.heddle.isa.Target;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// One thing changed in a legal candidate. The result need not be illegal: qualifiers may appear in
/// another order, another shape may fit as well.
public enum NearMiss {
    /// Another shape, with the operands of the first.
    SHAPE,
    /// Another type in one place.
    TYPE,
    /// Another type in the places of A and B.
    BOTH_MULTIPLICANDS,
    /// `.row` for `.col` or the reverse.
    LAYOUT,
    /// A qualifier left out.
    QUALIFIER_REMOVED,
    /// A qualifier more.
    QUALIFIER_ADDED,
    /// A qualifier twice.
    QUALIFIER_DOUBLED,
    /// Qualifiers in another order, those that are types among themselves as before.
    QUALIFIERS_MOVED,
    /// Another `.kind`, `.scale_vec_size` or `.stype`.
    SCALING,
    /// `.sp` for `.sp::ordered_metadata` or the reverse, or for neither.
    SPARSITY,
    /// One register more or less in a vector.
    REGISTER_COUNT,
    /// Registers of another type in one operand.
    REGISTER_TYPE,
    /// One register of another type in a vector.
    ONE_REGISTER_TYPE,
    /// Another number for a constant: selector, byte-id, thread-id, immediate.
    CONSTANT,
    /// A constant for a register.
    CONSTANT_FOR_REGISTER,
    /// A register for a constant.
    REGISTER_FOR_CONSTANT,
    /// A vector for its only register, a register for a vector.
    BRACES,
    /// An operand less, more, or in another's place.
    OPERANDS,
    /// Another target.
    TARGET,
    /// Another version.
    VERSION;

    private static final Pattern SHAPES = Pattern.compile("m\\d+n\\d+k\\d+");

    private static final List<String> SHAPE_WORDS =
            words(
                    "m8n8k4 m8n8k16 m8n8k32 m8n8k128 m16n8k4 m16n8k8 m16n8k16 m16n8k32 m16n8k64"
                            + " m16n8k128 m16n8k256 m16n8k12 m16n16k16 m8n16k16 m16n8k512");

    private static final List<String> TYPE_WORDS =
            words(
                    "f16 f32 f64 bf16 tf32 e4m3 e5m2 e3m2 e2m3 e2m1 s8 u8 s4 u4 b1 s32 u32 b32"
                            + " f16x2 ue8m0 ue4m3 e8m0");

    private static final List<String> SCALING_WORDS =
            words(
                    "kind::f8f6f4 kind::mxf8f6f4 kind::mxf4 kind::mxf4nvf4 block_scale"
                            + " scale_vec::1X scale_vec::2X scale_vec::4X ue8m0 ue4m3");

    private static final List<String> OTHER_WORDS =
            words("row col satfinite sync aligned rn rz rm rp xor and popc sp relu sat noinc");

    private static List<String> words(String text) {
        return List.of(text.split(" "));
    }

    /// The candidate with this changed; empty if it has nothing to change.
    Optional<Candidate> apply(Candidate legal, Random random) {
        return switch (this) {
            case SHAPE ->
                    replaceWord(legal, w -> SHAPES.matcher(w).matches(), shapes(legal), random);
            case TYPE -> replaceWord(legal, TYPE_WORDS::contains, TYPE_WORDS, random);
            case BOTH_MULTIPLICANDS -> bothMultiplicands(legal, random);
            case LAYOUT -> replaceWord(legal, words("row col")::contains, words("row col"), random);
            case QUALIFIER_REMOVED -> removeWord(legal, random);
            case QUALIFIER_ADDED -> addWord(legal, anyWord(random), random);
            case QUALIFIER_DOUBLED -> doubleWord(legal, random);
            case QUALIFIERS_MOVED -> moveWord(legal, random);
            case SCALING -> scaling(legal, random);
            case SPARSITY -> sparsity(legal, random);
            case REGISTER_COUNT -> changeVector(legal, random, NearMiss::resized);
            case REGISTER_TYPE -> registerType(legal, random);
            case ONE_REGISTER_TYPE -> changeVector(legal, random, NearMiss::oneRetyped);
            case CONSTANT -> constant(legal, random);
            case CONSTANT_FOR_REGISTER -> constantForRegister(legal, random);
            case REGISTER_FOR_CONSTANT -> registerForConstant(legal, random);
            case BRACES -> braces(legal, random);
            case OPERANDS -> operands(legal, random);
            case TARGET -> Optional.of(legal.on(pick(Target.all(), random), legal.version()));
            case VERSION ->
                    Optional.of(legal.on(legal.target(), pick(Candidates.VERSIONS, random)));
        };
    }

    private static List<String> shapes(Candidate legal) {
        if (!legal.words().getFirst().equals("wgmma")) {
            return SHAPE_WORDS;
        }
        List<String> shapes = new ArrayList<>();
        for (int n : new int[] {0, 4, 8, 16, 20, 24, 32, 40, 56, 240, 256, 264}) {
            for (int k : new int[] {8, 16, 32, 64, 128, 256}) {
                shapes.add("m64n" + n + "k" + k);
            }
        }
        return shapes;
    }

    private static Optional<Candidate> replaceWord(
            Candidate legal, Predicate<String> which, List<String> by, Random random) {
        List<Integer> places = places(legal, which);
        if (places.isEmpty()) {
            return Optional.empty();
        }
        List<String> words = new ArrayList<>(legal.words());
        words.set(pick(places, random), pick(by, random));
        return Optional.of(legal.withWords(words));
    }

    private static List<Integer> places(Candidate legal, Predicate<String> which) {
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < legal.words().size(); i++) {
            if (which.test(legal.words().get(i))) {
                places.add(i);
            }
        }
        return places;
    }

    private static Optional<Candidate> bothMultiplicands(Candidate legal, Random random) {
        List<Integer> types = places(legal, TYPE_WORDS::contains);
        if (types.size() < 3) {
            return Optional.empty();
        }
        List<String> words = new ArrayList<>(legal.words());
        String type = pick(TYPE_WORDS, random);
        words.set(types.get(1), type);
        words.set(types.get(2), type);
        return Optional.of(legal.withWords(words));
    }

    /// Where qualifiers begin: behind `mma`, `wgmma.mma_async` and `sp`.
    private static int qualifiersFrom(Candidate legal) {
        return legal.words().indexOf("sync");
    }

    private static Optional<Candidate> removeWord(Candidate legal, Random random) {
        List<String> words = new ArrayList<>(legal.words());
        int from = qualifiersFrom(legal);
        words.remove(from + random.nextInt(words.size() - from));
        return Optional.of(legal.withWords(words));
    }

    private static String anyWord(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> pick(TYPE_WORDS, random);
            case 1 -> pick(SCALING_WORDS, random);
            case 2 -> pick(OTHER_WORDS, random);
            default -> random.nextInt(3) == 0 ? pick(SHAPE_WORDS, random) : "satfinite";
        };
    }

    private static Optional<Candidate> addWord(Candidate legal, String word, Random random) {
        List<String> words = new ArrayList<>(legal.words());
        int from = qualifiersFrom(legal);
        words.add(from + random.nextInt(words.size() - from + 1), word);
        return Optional.of(legal.withWords(words));
    }

    private static Optional<Candidate> doubleWord(Candidate legal, Random random) {
        int from = qualifiersFrom(legal);
        String word = legal.words().get(from + random.nextInt(legal.words().size() - from));
        return addWord(legal, word, random);
    }

    private static Optional<Candidate> moveWord(Candidate legal, Random random) {
        List<String> words = new ArrayList<>(legal.words());
        int from = qualifiersFrom(legal);
        String word = words.remove(from + random.nextInt(words.size() - from));
        words.add(from + random.nextInt(words.size() - from + 1), word);
        return Optional.of(legal.withWords(words));
    }

    private static Optional<Candidate> scaling(Candidate legal, Random random) {
        return replaceWord(legal, SCALING_WORDS::contains, SCALING_WORDS, random);
    }

    private static Optional<Candidate> sparsity(Candidate legal, Random random) {
        List<String> words = new ArrayList<>(legal.words());
        int at = words.getFirst().equals("wgmma") ? 2 : 1;
        boolean sparse = words.get(at).startsWith("sp");
        String other = pick(words("sp sp::ordered_metadata dense"), random);
        if (sparse) {
            words.remove(at);
        }
        if (!other.equals("dense")) {
            words.add(at, other);
        }
        return Optional.of(legal.withWords(words));
    }

    /// Another vector made of a vector.
    @FunctionalInterface
    private interface VectorChange {
        List<SourceOperand> of(List<SourceOperand> elements, Random random);
    }

    private static Optional<Candidate> changeVector(
            Candidate legal, Random random, VectorChange change) {
        List<Integer> vectors = operandsThat(legal, SourceOperand.Vector.class::isInstance);
        int place = pick(vectors, random);
        SourceOperand.Vector vector = (SourceOperand.Vector) legal.operands().get(place);
        return Optional.of(
                set(legal, place, new SourceOperand.Vector(change.of(vector.elements(), random))));
    }

    private static List<Integer> operandsThat(Candidate legal, Predicate<SourceOperand> which) {
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < legal.operands().size(); i++) {
            if (which.test(legal.operands().get(i))) {
                places.add(i);
            }
        }
        return places;
    }

    private static Candidate set(Candidate legal, int place, SourceOperand operand) {
        List<SourceOperand> operands = new ArrayList<>(legal.operands());
        operands.set(place, operand);
        return legal.withOperands(operands);
    }

    private static List<SourceOperand> resized(List<SourceOperand> elements, Random random) {
        List<SourceOperand> changed = new ArrayList<>(elements);
        switch (random.nextInt(4)) {
            case 0 -> changed.removeLast();
            case 1 -> changed.add(elements.getLast());
            case 2 -> changed.addAll(elements);
            default -> changed.subList(0, (changed.size() + 1) / 2).clear();
        }
        return changed.isEmpty() ? elements : changed;
    }

    private static List<SourceOperand> oneRetyped(List<SourceOperand> elements, Random random) {
        List<SourceOperand> changed = new ArrayList<>(elements);
        changed.set(random.nextInt(elements.size()), Candidate.register(anyType(random), 400));
        return changed;
    }

    /// B128 needs PTX 8.3, which is no concern of a matrix instruction.
    private static RegisterType anyType(Random random) {
        List<RegisterType> types = new ArrayList<>(List.of(RegisterType.values()));
        types.remove(RegisterType.B128);
        return pick(types, random);
    }

    private static Optional<Candidate> registerType(Candidate legal, Random random) {
        int place = random.nextInt(legal.operands().size());
        RegisterType type = anyType(random);
        SourceOperand operand = legal.operands().get(place);
        if (operand instanceof SourceOperand.Vector(List<SourceOperand> elements)) {
            List<SourceOperand> retyped = new ArrayList<>();
            for (int i = 0; i < elements.size(); i++) {
                retyped.add(Candidate.register(type, 400 + i));
            }
            return Optional.of(set(legal, place, new SourceOperand.Vector(retyped)));
        }
        return operand instanceof SourceOperand.Register
                ? Optional.of(set(legal, place, Candidate.register(type, 400)))
                : Optional.empty();
    }

    private static SourceOperand number(Random random) {
        return new SourceOperand.IntegerConstant(pick(List.of(-1, 0, 1, 2, 3, 4, 5, 8), random));
    }

    private static Optional<Candidate> constant(Candidate legal, Random random) {
        List<Integer> places =
                operandsThat(
                        legal,
                        operand ->
                                operand instanceof SourceOperand.IntegerConstant
                                        || isPairOfConstants(operand));
        if (places.isEmpty()) {
            return Optional.empty();
        }
        int place = pick(places, random);
        if (legal.operands().get(place) instanceof SourceOperand.Vector(List<SourceOperand> pair)) {
            List<SourceOperand> changed = new ArrayList<>(pair);
            changed.set(random.nextInt(pair.size()), number(random));
            return Optional.of(set(legal, place, new SourceOperand.Vector(changed)));
        }
        return Optional.of(set(legal, place, number(random)));
    }

    private static boolean isPairOfConstants(SourceOperand operand) {
        return operand instanceof SourceOperand.Vector vector
                && vector.elements().getFirst() instanceof SourceOperand.IntegerConstant;
    }

    private static SourceOperand anyConstant(Random random) {
        return random.nextBoolean()
                ? number(random)
                : new SourceOperand.FloatConstant(
                        pick(words("0f3F800000 0F00000000 0d3FF0000000000000 1.0 0.0"), random));
    }

    private static Optional<Candidate> constantForRegister(Candidate legal, Random random) {
        int place = random.nextInt(legal.operands().size());
        SourceOperand operand = legal.operands().get(place);
        if (operand instanceof SourceOperand.Vector(List<SourceOperand> elements)) {
            SourceOperand constant = anyConstant(random);
            List<SourceOperand> changed = new ArrayList<>(elements);
            if (random.nextBoolean()) {
                Collections.fill(changed, constant);
            } else {
                changed.set(random.nextInt(changed.size()), constant);
            }
            return Optional.of(set(legal, place, new SourceOperand.Vector(changed)));
        }
        return operand instanceof SourceOperand.Register
                ? Optional.of(set(legal, place, anyConstant(random)))
                : Optional.empty();
    }

    private static Optional<Candidate> registerForConstant(Candidate legal, Random random) {
        List<Integer> places = operandsThat(legal, SourceOperand.IntegerConstant.class::isInstance);
        RegisterType type =
                pick(
                        List.of(
                                RegisterType.B32,
                                RegisterType.PRED,
                                RegisterType.U16,
                                RegisterType.S32),
                        random);
        return places.isEmpty()
                ? Optional.empty()
                : Optional.of(set(legal, pick(places, random), Candidate.register(type, 400)));
    }

    private static Optional<Candidate> braces(Candidate legal, Random random) {
        int place = random.nextInt(legal.operands().size());
        return Optional.of(
                set(
                        legal,
                        place,
                        switch (legal.operands().get(place)) {
                            case SourceOperand.Vector vector -> vector.elements().getFirst();
                            case SourceOperand operand ->
                                    new SourceOperand.Vector(List.of(operand));
                        }));
    }

    private static Optional<Candidate> operands(Candidate legal, Random random) {
        List<SourceOperand> operands = new ArrayList<>(legal.operands());
        int place = random.nextInt(operands.size());
        switch (random.nextInt(3)) {
            case 0 -> operands.remove(place);
            case 1 -> operands.add(place, operands.get(place));
            default -> Collections.swap(operands, place, random.nextInt(operands.size()));
        }
        return Optional.of(legal.withOperands(operands));
    }

    /// `register count`
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
