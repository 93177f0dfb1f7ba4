package dev.heddle.tensorcore.kernel;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.formats.Rounding;
import dev.heddle.isa.Form;
import dev.heddle.isa.Role;
import dev.heddle.tensorcore.numerics.Accumulation;
import dev.heddle.tensorcore.numerics.Accumulation.BitCount;
import dev.heddle.tensorcore.numerics.Accumulation.FusedSum;
import dev.heddle.tensorcore.numerics.Accumulation.Grouping;
import dev.heddle.tensorcore.numerics.Accumulation.IntegerSum;
import dev.heddle.tensorcore.numerics.Accumulation.MultiplyAddChain;
import dev.heddle.tensorcore.numerics.Accumulation.Overflow;
import dev.heddle.tensorcore.numerics.Accumulation.ScalarSteps;
import dev.heddle.tensorcore.numerics.Accumulation.ScaledSum;
import dev.heddle.tensorcore.x86.Processor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// Chooses the kernel for a form, a rule and a placement of operands.
public final class Kernels {
    private static final boolean RUNS_MACHINE_CODE = Processor.runsMachineCode();

    private Kernels() {}

    /// How a kernel may work.
    public enum Speed {
        /// Plainly for the first products of a process, where a form has both; then by vectors, of
        /// rows or of columns as this machine has them.
        ADAPTIVE,
        /// By vectors where they serve: of rows, or of columns, as this machine has them.
        FAST,
        /// By vectors of columns where they serve.
        COLUMNS,
        /// From operands decoded once, in ordinary arithmetic, where they serve: [PlainKernel].
        PLAIN,
        /// Element by element, in integers of any size: [ExactElements].
        EXACT
    }

    /// A kernel by vectors of rows, where the machine and the speed allow; else element by element.
    ///
    /// @param sparsity the metadata of a sparse A, read before each run
    public static Microkernel of(
            Form form,
            Accumulation accumulation,
            Places places,
            Optional<Sparsity> sparsity,
            Speed speed) {
        boolean vectors = (speed == Speed.FAST || speed == Speed.ADAPTIVE) && Lanes.native512();
        TermReader terms = TermReader.of(form, places, sparsity);
        if (vectors && accumulation instanceof FusedSum sum) {
            KOrder order = order(places.a(), sum.grouping(), sparsity);
            return new FusedKernel(form, sum, places, order, terms, sparsity);
        }
        if (vectors && accumulation instanceof IntegerSum sum) {
            KOrder order = order(places.a(), Grouping.WHOLE, sparsity);
            return new IntegerKernel(form, sum, places, order, sparsity);
        }
        ElementKernel.Element element =
                switch (accumulation) {
                    case MultiplyAddChain chain when speed != Speed.EXACT ->
                            new ChainElements(terms, chain);
                    case ScalarSteps steps when speed != Speed.EXACT ->
                            new StepElements(
                                    terms,
                                    steps,
                                    (FloatFormat) form.type(Role.C),
                                    (FloatFormat) form.type(Role.D));
                    case BitCount count when speed != Speed.EXACT -> new BitElements(places, count);
                    case FusedSum _,
                            IntegerSum _,
                            ScaledSum _,
                            MultiplyAddChain _,
                            ScalarSteps _,
                            BitCount _ ->
                            new ExactElements(form, accumulation, terms);
                };
        return new ElementKernel(places.d(), form.type(Role.D), element);
    }

    /// Whether this machine has the vectors of sixteen rows.
    public static boolean hasVectorsOfRows() {
        return Lanes.native512();
    }

    /// A kernel in ordinary arithmetic, for the rules that have one.
    public static Optional<PlainKernel> plain(Form form, Accumulation accumulation, Places places) {
        return switch (accumulation) {
            case FusedSum sum -> kernel(form, places, new PlainFusedProducts(form, sum, places));
            case IntegerSum sum ->
                    kernel(form, places, new PlainIntegerProducts(form, sum, places));
            case ScaledSum sum -> kernel(form, places, new PlainScaledProducts(form, sum, places));
            case MultiplyAddChain _, ScalarSteps _, BitCount _ -> Optional.empty();
        };
    }

    /// Whether vector kernels know a rule.
    public static boolean hasVectors(Accumulation accumulation) {
        return switch (accumulation) {
            case FusedSum _, IntegerSum _ -> true;
            case ScaledSum _, MultiplyAddChain _, ScalarSteps _, BitCount _ -> false;
        };
    }

    /// A kernel by vectors of columns, for the rules that have one.
    public static Optional<PlainKernel> columns(
            Form form, Accumulation accumulation, Places places) {
        return switch (accumulation) {
            case FusedSum sum -> {
                KOrder order = KOrder.ascending(groups(sum.grouping(), places.a().minors()));
                yield kernel(form, places, new FusedColumns(form, sum, places, order));
            }
            case IntegerSum sum -> kernel(form, places, new IntegerColumns(form, sum, places));
            case ScaledSum _, MultiplyAddChain _, ScalarSteps _, BitCount _ -> Optional.empty();
        };
    }

    private static Optional<PlainKernel> kernel(
            Form form, Places places, PlainKernel.Products products) {
        return Optional.of(
                new PlainKernel(
                        places.a().majors(),
                        places.a().minors(),
                        products,
                        form.metadata()
                                .map(
                                        sparse ->
                                                PlainKernel.Selection.of(
                                                        sparse, places.metadata()))));
    }

    /// A kernel in machine code, for the rules that have one and where the processor runs it.
    public static Optional<MachineProduct> machine(
            Form form, Accumulation accumulation, Places places, Optional<Sparsity> sparsity) {
        if (!RUNS_MACHINE_CODE) {
            return Optional.empty();
        }
        return switch (accumulation) {
            case FusedSum sum when form.type(Role.C) == form.type(Role.D) ->
                    MachineProduct.of(
                            order(places.a(), sum.grouping(), sparsity),
                            FusedRule.of(form, sum),
                            FloatCode.of(form, Role.A, sum),
                            FloatCode.of(form, Role.B, sum),
                            Optional.empty(),
                            places,
                            sparsity);
            case IntegerSum sum ->
                    MachineProduct.of(
                            sum.overflow(),
                            Optional.empty(),
                            (IntegerFormat) form.type(Role.A),
                            (IntegerFormat) form.type(Role.B),
                            places,
                            sparsity);
            case ScaledSum sum ->
                    MachineProduct.of(
                            order(places.a(), terms(sum, places.a().minors()), sparsity),
                            FusedRule.of(sum),
                            FloatCode.of((FloatFormat) form.type(Role.A)),
                            FloatCode.of((FloatFormat) form.type(Role.B)),
                            form.scaleFactors(Role.A)
                                    .map(each -> FloatCode.of((FloatFormat) each.format())),
                            places,
                            sparsity);
            case BitCount count ->
                    MachineProduct.of(
                            Overflow.WRAPS,
                            Optional.of(count.operation()),
                            IntegerFormat.B1,
                            IntegerFormat.B1,
                            places,
                            sparsity);
            case MultiplyAddChain chain when chain.rounding() == Rounding.NEAREST_EVEN ->
                    Optional.of(MachineProduct.ofChains(places));
            case FusedSum _, MultiplyAddChain _, ScalarSteps _ -> Optional.empty();
        };
    }

    /// The products of each term, where these are several.
    private static List<int[]> terms(ScaledSum sum, int k) {
        int each = sum.productsPerTerm() == 1 ? k : sum.productsPerTerm();
        return IntStream.range(0, k / each)
                .mapToObj(term -> IntStream.range(term * each, (term + 1) * each).toArray())
                .toList();
    }

    private static KOrder order(Placement a, Grouping grouping, Optional<Sparsity> sparsity) {
        return order(a, groups(grouping, a.minors()), sparsity);
    }

    private static KOrder order(Placement a, List<int[]> groups, Optional<Sparsity> sparsity) {
        return sparsity.isPresent()
                ? KOrder.ascending(groups)
                : KOrder.of(a.minors(), perWord(a), groups);
    }

    private static List<int[]> groups(Grouping grouping, int k) {
        List<List<Integer>> groups = new ArrayList<>();
        for (int group = 0; group < grouping.groups(); group++) {
            groups.add(new ArrayList<>());
        }
        for (int index = 0; index < k; index++) {
            groups.get(grouping.group(index, k)).add(index);
        }
        return groups.stream()
                .map(group -> group.stream().mapToInt(Integer::intValue).toArray())
                .toList();
    }

    /// How many neighbours along k share a word: a power of two, at most a quarter of k.
    private static int perWord(Placement a) {
        int perWord = 1;
        while (perWord * 8 <= a.minors() && share(a, perWord * 2)) {
            perWord *= 2;
        }
        return perWord;
    }

    private static boolean share(Placement placement, int neighbours) {
        for (int at = 0; at < placement.word().length; at++) {
            if (placement.word()[at] != placement.word()[at - at % neighbours]) {
                return false;
            }
        }
        return true;
    }
}
