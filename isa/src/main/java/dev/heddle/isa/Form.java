package dev.heddle.isa;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.formats.InputException;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.formats.Rounding;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/// One legal form of an instruction: an opcode, and for wgmma where A comes from.
///
/// Everything else about it derives from its syntax line and its qualifiers: operands, fragments,
/// metadata, scale factors, requirements.
///
/// @param syntax the syntax line it belongs to
/// @param words  the word in each filled place of the opcode
public record Form(Syntax syntax, Map<Qualifier, String> words) {
    private static final Shape FOURFOLD = new Shape(8, 8, 4);

    public Form {
        words = Map.copyOf(words);
    }

    /// The form of an opcode. Of the two that a wgmma opcode names, the one with A in registers.
    ///
    /// @throws InputException if the opcode is not legal; the message says what is wrong
    public static Form of(String opcode) {
        return of(opcode, ASource.REGISTERS);
    }

    /// The form of an opcode with A from there.
    ///
    /// @throws InputException if the opcode is not legal, or takes no A from there
    public static Form of(String opcode, ASource source) {
        Legality legality = Legality.ofOpcode(opcode);
        if (!legality.violations().isEmpty()) {
            throw new InputException(legality.violations().getFirst().toString());
        }
        return legality.forms().stream()
                .filter(form -> form.aSource() == source)
                .findFirst()
                .orElseThrow(
                        () ->
                                new InputException(
                                        opcode + " does not take A from " + source.word()));
    }

    /// The form of a family with these words in the places of its opcode; none where they are no
    /// legal choice.
    public static Optional<Form> of(Family family, Map<Qualifier, String> words) {
        Opcode opcode = new Opcode(family, words, List.of());
        return Manual.syntaxes(family).stream()
                .filter(line -> line.matches(opcode))
                .filter(_ -> Combinations.broken(family, words).isEmpty())
                .findFirst()
                .map(line -> new Form(line, words));
    }

    /// The instruction.
    public Family family() {
        return syntax.family();
    }

    /// The word in a place of the opcode, without its dot; empty if the place is not filled.
    public String word(Qualifier place) {
        return words.getOrDefault(place, "");
    }

    /// The opcode in the manual's order of qualifiers.
    public String opcode() {
        StringBuilder text = new StringBuilder(family().mnemonic()).append(".sync.aligned");
        for (Qualifier place :
                List.of(
                        Qualifier.SHAPE,
                        Qualifier.ALAYOUT,
                        Qualifier.BLAYOUT,
                        Qualifier.KIND,
                        Qualifier.BLOCK_SCALE,
                        Qualifier.SCALE_VECTOR,
                        Qualifier.ROUNDING,
                        Qualifier.SATFINITE,
                        Qualifier.DTYPE,
                        Qualifier.ATYPE,
                        Qualifier.BTYPE,
                        Qualifier.CTYPE,
                        Qualifier.STYPE,
                        Qualifier.BIT_OPERATION)) {
            if (!word(place).isEmpty()) {
                text.append('.').append(word(place));
            }
        }
        return words.containsKey(Qualifier.BIT_OPERATION)
                ? text.append(".popc").toString()
                : text.toString();
    }

    /// The shape.
    public Shape shape() {
        return Shape.parse(word(Qualifier.SHAPE));
    }

    /// The element type of a matrix. Of wgmma, C is D before the instruction.
    public Format type(Role role) {
        Qualifier place =
                switch (role) {
                    case A -> Qualifier.ATYPE;
                    case B -> Qualifier.BTYPE;
                    case C -> family().warpgroup() ? Qualifier.DTYPE : Qualifier.CTYPE;
                    case D -> Qualifier.DTYPE;
                };
        return Format.parse(word(place));
    }

    /// Threads that execute it together: 32 or 128.
    public int lanes() {
        return family().lanes();
    }

    /// Whether the form computes four products at once, each on eight lanes: `m8n8k4` with f16
    /// operands (PTX ISA 9.7.14.5.1).
    public boolean quadPairs() {
        return shape().equals(FOURFOLD) && type(Role.A) == FloatFormat.F16;
    }

    /// Whether A is structured sparse.
    public boolean sparse() {
        return family().sparse();
    }

    /// Where A comes from.
    public ASource aSource() {
        return syntax.operands().contains("a-desc") ? ASource.SHARED_MEMORY : ASource.REGISTERS;
    }

    /// Whether integer results saturate.
    public boolean satfinite() {
        return words.containsKey(Qualifier.SATFINITE);
    }

    /// The rounding of f64 results; nearest even where the opcode does not say.
    public Rounding rounding() {
        String word = word(Qualifier.ROUNDING);
        return Arrays.stream(Rounding.values())
                .filter(rounding -> rounding.ptxName().equals(word))
                .findFirst()
                .orElse(Rounding.NEAREST_EVEN);
    }

    /// `and` or `xor` of a single-bit form.
    public Optional<String> bitOperation() {
        return Optional.ofNullable(words.get(Qualifier.BIT_OPERATION));
    }

    /// The kind of an fp8, fp6 or fp4 form, as `mxf4`.
    public Optional<String> kind() {
        return Optional.ofNullable(words.get(Qualifier.KIND)).map(word -> word.substring(6));
    }

    /// Whether scale factors apply.
    public boolean blockScaled() {
        return words.containsKey(Qualifier.BLOCK_SCALE);
    }

    /// Whether narrow elements of A and B are in a byte each.
    public boolean padded() {
        String kind = word(Qualifier.KIND);
        return kind.equals("kind::f8f6f4") || kind.equals("kind::mxf8f6f4");
    }

    /// Scale factors along K: 1, 2 or 4; 0 if the form is not block-scaled. Without
    /// `.scale_vec_size` it is 2 for mxf4 and 1 for mxf8f6f4 (PTX ISA 9.7.14.5.14).
    public int scaleVectors() {
        if (!blockScaled()) {
            return 0;
        }
        String word = word(Qualifier.SCALE_VECTOR);
        return word.isEmpty()
                ? (word(Qualifier.KIND).equals("kind::mxf4") ? 2 : 1)
                : word.charAt("scale_vec::".length()) - '0';
    }

    /// How A's rows are cut into chunks; empty for dense forms.
    public Optional<Granularity> granularity() {
        if (!sparse()) {
            return Optional.empty();
        }
        Format a = type(Role.A);
        boolean pairs =
                a == IntegerFormat.S4
                        || a == IntegerFormat.U4
                        || (a == FloatFormat.E2M1 && !padded());
        return Optional.of(
                a == FloatFormat.TF32
                        ? Granularity.ONE_OF_TWO
                        : pairs ? Granularity.PAIRS_FOUR_OF_EIGHT : Granularity.TWO_OF_FOUR);
    }

    /// Columns of A as stored: K, or half of it.
    public int storedColumns() {
        return sparse() ? shape().k() / 2 : shape().k();
    }

    /// The fragment of a matrix. B of wgmma, and A where it comes from shared memory, have none in
    /// registers; A's then is the one it would have in registers.
    ///
    /// @throws InputException for B of wgmma
    public Fragment fragment(Role role) {
        if (family().warpgroup() && role == Role.B) {
            throw new InputException(
                    "operand B of "
                            + family()
                            + " stands in shared memory, described by b-desc (PTX ISA"
                            + " 9.7.15.5.1.2)");
        }
        return Fragments.of(this, role);
    }

    /// The metadata operand of a sparse form.
    public Optional<Metadata> metadata() {
        return granularity().map(this::metadata);
    }

    private Metadata metadata(Granularity granularity) {
        int chunks = shape().k() / granularity.width();
        return new Metadata(
                Metadata.layout(type(Role.A).bits(), chunks, family().warpgroup()),
                granularity,
                family() == Family.MMA_SP_ORDERED,
                16 / chunks,
                Figures.ofMetadata(this));
    }

    /// The scale factors of A or B; empty if the form is not block-scaled.
    public Optional<ScaleFactors> scaleFactors(Role role) {
        return blockScaled()
                ? Optional.of(
                        ScaleFactors.of(
                                role,
                                Format.parse(word(Qualifier.STYPE)),
                                scaleVectors(),
                                shape().k()))
                : Optional.empty();
    }

    /// The operands, in order; `{byte-id, thread-id}` is one.
    public List<Operand> operands() {
        List<Operand> operands = new ArrayList<>();
        for (String name : syntax.operands()) {
            if (!name.startsWith("thread-id")) {
                operands.add(operand(name));
            }
        }
        return List.copyOf(operands);
    }

    private Operand operand(String name) {
        return switch (name) {
            case "a", "b", "c", "d" -> {
                Role role = Role.valueOf(name.toUpperCase(java.util.Locale.ROOT));
                yield new Operand.Matrix(name, fragment(role), Registers.of(this, role));
            }
            case "a-desc" -> new Operand.Descriptor(name, Role.A);
            case "b-desc" -> new Operand.Descriptor(name, Role.B);
            case "e", "sp-meta" -> new Operand.MetadataWord(name, metadata().orElseThrow());
            case "f", "sp-sel" -> selector(name);
            case "scale-a-data" -> new Operand.ScaleData(name, scaleFactors(Role.A).orElseThrow());
            case "scale-b-data" -> new Operand.ScaleData(name, scaleFactors(Role.B).orElseThrow());
            case "byte-id-a" -> scaleSelector("{byte-id-a, thread-id-a}", Role.A);
            case "byte-id-b" -> scaleSelector("{byte-id-b, thread-id-b}", Role.B);
            case "scale-d" -> new Operand.ScaleD(name);
            case "imm-scale-a", "imm-scale-b" -> new Operand.Immediate(name, List.of(-1, 1));
            case "imm-trans-a", "imm-trans-b" -> new Operand.Immediate(name, List.of(0, 1));
            default -> throw new IllegalStateException("operand " + name + " in " + syntax.text());
        };
    }

    /// ptxas lets selectors 2 and 3 through on m16n8k32 f16 with f32 accumulators, where the text
    /// defines 0 and 1.
    private Operand selector(String name) {
        List<Integer> legal = metadata().orElseThrow().selectorValues();
        boolean lax =
                !family().warpgroup()
                        && shape().k() == 32
                        && type(Role.A) == FloatFormat.F16
                        && type(Role.D) == FloatFormat.F32;
        return new Operand.Selector(
                name, legal, lax ? IntStream.range(0, 4).boxed().toList() : legal);
    }

    private Operand scaleSelector(String name, Role role) {
        ScaleFactors factors = scaleFactors(role).orElseThrow();
        return new Operand.ScaleSelector(name, factors.byteIds(), factors.threadIds());
    }

    /// The version and the targets that have it.
    public Requirement requirement() {
        return syntax.requirement();
    }

    /// The opcode; with `(A from shared memory)` where that tells two forms apart.
    @Override
    public String toString() {
        return aSource() == ASource.SHARED_MEMORY ? opcode() + " (A from shared memory)" : opcode();
    }
}
