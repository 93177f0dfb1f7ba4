package dev.heddle.cuda.golden;

import dev.heddle.cuda.CaseInput;
import dev.heddle.cuda.MatrixInstruction;
import dev.heddle.cuda.MatrixInstruction.Immediates;
import dev.heddle.cuda.PackedCodes;
import dev.heddle.cuda.SharedLayout;
import dev.heddle.cuda.SharedMatrices;
import dev.heddle.cuda.SharedMatrices.Placed;
import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.isa.Form;
import dev.heddle.isa.Granularity;
import dev.heddle.isa.Metadata;
import dev.heddle.isa.Role;
import dev.heddle.tensorcore.golden.GoldenCase;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/// Draws the cases of one form: every class of values in turn, immediates, layouts and metadata
/// at random. The same seed gives the same cases, whatever other forms are recorded.
final class CaseSource {
    /// Above this N a wgmma kernel is long, and only some combinations of immediates are
    /// compiled.
    private static final int LARGE_N = 64;

    private static final int VARIANTS_OF_LARGE_N = 6;

    private final Form form;
    private final int formId;
    private final MatrixInstruction instruction;
    private final SplittableRandom random;
    private final InputSource inputs;
    private final List<Immediates> variants;

    CaseSource(Form form, int formId, long seed) {
        this.form = form;
        this.formId = formId;
        this.instruction = MatrixInstruction.of(form);
        this.random = new SplittableRandom(seed ^ (long) form.toString().hashCode() << 32);
        this.inputs = inputs();
        this.variants = variants();
    }

    MatrixInstruction instruction() {
        return instruction;
    }

    /// Draws the next `count` cases.
    List<DrawnCase> draw(int count) {
        return IntStream.range(0, count).mapToObj(this::drawCase).toList();
    }

    private InputSource inputs() {
        Format a = form.type(Role.A);
        Format b = form.type(Role.B);
        Format c = form.type(Role.C);
        int countC = form.lanes() * instruction.words().c() * Integer.SIZE / c.bits();
        OperandGrid gridA =
                instruction.aInShared()
                        ? OperandGrid.matrix(form.shape().m(), form.storedColumns())
                        : OperandGrid.registers(form.lanes(), instruction.words().a(), a.bits());
        OperandGrid gridB =
                instruction.warpgroup()
                        ? OperandGrid.matrix(form.shape().n(), form.shape().k())
                        : OperandGrid.registers(form.lanes(), instruction.words().b(), b.bits());
        return switch (a) {
            case FloatFormat float_ ->
                    new FloatInputs(
                            float_, gridA, (FloatFormat) b, gridB, (FloatFormat) c, countC, random);
            case IntegerFormat integer ->
                    new IntegerInputs(integer, gridA, (IntegerFormat) b, gridB, countC, random);
        };
    }

    private List<Immediates> variants() {
        List<Integer> selectors = form.metadata().map(Metadata::selectorValues).orElse(List.of(0));
        List<Integer> signs = instruction.scales() ? List.of(1, -1) : List.of(1);
        List<Boolean> both = List.of(false, true);
        List<Boolean> transposesB = instruction.transposes() ? both : List.of(false);
        List<Boolean> transposesA = instruction.aInShared() ? transposesB : List.of(false);
        List<Immediates> all = new ArrayList<>();
        for (int selector : selectors) {
            for (int scaleA : signs) {
                for (int scaleB : signs) {
                    for (boolean transposeA : transposesA) {
                        for (boolean transposeB : transposesB) {
                            all.add(
                                    new Immediates(
                                            selector, scaleA, scaleB, transposeA, transposeB));
                        }
                    }
                }
            }
        }
        if (form.shape().n() >= LARGE_N && all.size() > VARIANTS_OF_LARGE_N) {
            Collections.shuffle(all, Random.from(random));
            return List.copyOf(all.subList(0, VARIANTS_OF_LARGE_N));
        }
        return List.copyOf(all);
    }

    private DrawnCase drawCase(int index) {
        CaseClass caseClass = CaseClass.values()[index % CaseClass.values().length];
        int subclass = index / CaseClass.values().length % inputs.subclasses(caseClass);
        OperandCodes operands = inputs.draw(caseClass, subclass);
        Immediates immediates = variants.get(random.nextInt(variants.size()));
        boolean scaleD = !instruction.warpgroup() || random.nextInt(6) != 0;
        GoldenCase.Metadata legality = legality();
        int[] c = PackedCodes.words(operands.c(), form.type(Role.C).bits());
        int[] e = instruction.sparse() ? metadata(immediates.selector(), legality) : new int[0];
        int[] header = header(index, caseClass, subclass, immediates);
        header[4] = legality.ordinal();
        header[6] = scaleD ? 1 : 0;
        if (!instruction.warpgroup()) {
            return new DrawnCase(
                    immediates,
                    new CaseInput(
                            registersOfA(operands),
                            registersOfB(operands),
                            c,
                            e,
                            CaseInput.Shared.NONE),
                    header,
                    new byte[0],
                    new byte[0]);
        }
        SharedMatrices matrices = matrices(operands, immediates);
        describe(matrices, header);
        return new DrawnCase(
                immediates,
                new CaseInput(
                        instruction.aInShared() ? new int[0] : registersOfA(operands),
                        new int[0],
                        c,
                        e,
                        matrices.image(scaleD)),
                header,
                matrices.a() == null ? new byte[0] : matrices.a().content(),
                matrices.b().content());
    }

    private int[] registersOfA(OperandCodes operands) {
        return PackedCodes.words(operands.a(), form.type(Role.A).bits());
    }

    private int[] registersOfB(OperandCodes operands) {
        return PackedCodes.words(operands.b(), form.type(Role.B).bits());
    }

    /// The words of the header that do not depend on what is drawn later.
    private int[] header(int index, CaseClass caseClass, int subclass, Immediates immediates) {
        int[] header = new int[24];
        header[0] = formId;
        header[1] = index;
        header[2] = caseClass.ordinal();
        header[3] = subclass;
        header[5] = immediates.selector();
        header[7] = immediates.scaleA();
        header[8] = immediates.scaleB();
        header[9] = -1;
        header[10] = -1;
        header[15] = form.lanes();
        header[16] = instruction.words().a();
        header[17] = instruction.words().b();
        header[18] = instruction.words().c();
        header[19] = instruction.metadataWords();
        header[20] = instruction.words().d();
        return header;
    }

    private SharedMatrices matrices(OperandCodes operands, Immediates immediates) {
        Placed a =
                instruction.aInShared()
                        ? new Placed(
                                layout(immediates.transposeA()),
                                PackedCodes.bytes(operands.a(), form.type(Role.A).bits()),
                                form.shape().m())
                        : null;
        Placed b =
                new Placed(
                        layout(immediates.transposeB()),
                        PackedCodes.bytes(operands.b(), form.type(Role.B).bits()),
                        form.shape().n());
        return new SharedMatrices(a, b);
    }

    private SharedLayout layout(boolean transposed) {
        List<SharedLayout> possible =
                IntStream.range(0, SharedLayout.values().length)
                        .mapToObj(i -> SharedLayout.values()[i])
                        .filter(layout -> layout.transposed() == transposed)
                        .toList();
        return possible.get(random.nextInt(possible.size()));
    }

    private static void describe(SharedMatrices matrices, int[] header) {
        Placed a = matrices.a();
        if (a != null) {
            header[9] = a.layout().code();
            header[11] = a.leadingOffset();
            header[12] = a.strideOffset();
            header[21] = a.content().length;
        }
        Placed b = matrices.b();
        header[10] = b.layout().code();
        header[13] = b.leadingOffset();
        header[14] = b.strideOffset();
        header[22] = b.content().length;
    }

    /// Every third case of a form that allows it has its index pairs in any order.
    private GoldenCase.Metadata legality() {
        boolean canBeUnordered =
                form.metadata()
                        .map(
                                metadata ->
                                        !metadata.ordered()
                                                && metadata.granularity() != Granularity.ONE_OF_TWO)
                        .orElse(false);
        return canBeUnordered && random.nextInt(3) == 0
                ? GoldenCase.Metadata.UNORDERED
                : GoldenCase.Metadata.ORDERED;
    }

    /// One word a lane: legal nibbles where the selector looks, anything elsewhere.
    private int[] metadata(int selector, GoldenCase.Metadata legality) {
        Metadata metadata = form.metadata().orElseThrow();
        List<Integer> legal =
                metadata.granularity().nibbles(legality == GoldenCase.Metadata.ORDERED);
        int[] words = new int[form.lanes()];
        for (int lane = 0; lane < words.length; lane++) {
            words[lane] = random.nextInt();
        }
        for (int lane : metadata.suppliers(selector)) {
            int word = 0;
            for (int slot = 0; slot < Integer.SIZE / 4; slot++) {
                word |= legal.get(random.nextInt(legal.size())) << 4 * slot;
            }
            words[lane] = word;
        }
        return words;
    }
}
