package dev.heddle.tensorcore.kernel;

import dev.heddle.formats.IntegerFormat;
import dev.heddle.tensorcore.numerics.Accumulation.BitOperation;
import dev.heddle.tensorcore.numerics.Accumulation.Overflow;
import dev.heddle.tensorcore.x86.ExecutableMemory;
import dev.heddle.tensorcore.x86.ProductFunction;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Products by machine code of this processor. It is as fast as it will be from the first product
/// on, while vectors of Java wait for the JIT.
///
/// Operands that need another way, such as infinities, are left to the other kernels. It belongs to
/// one form and one placement of operands, and is for one thread at a time.
public final class MachineProduct {
    private static final Map<ProductLayout, ExecutableMemory> CODE = new ConcurrentHashMap<>();

    private final ProductMemory tables;
    private final MemorySegment memory;
    private final ExecutableMemory code;
    private final int[] zeros;

    private MachineProduct(ProductMemory tables) {
        this.tables = tables;
        this.memory = tables.allocate();
        this.code =
                CODE.computeIfAbsent(
                        tables.layout(), layout -> ExecutableMemory.of(ProductCode.of(layout)));
        this.zeros = new int[tables.wordsOfC()];
    }

    /// Fused sums.
    ///
    /// @param factors the codes of scale factors, if there are any
    static Optional<MachineProduct> of(
            KOrder order,
            FusedRule rule,
            FloatCode codeA,
            FloatCode codeB,
            Optional<FloatCode> factors,
            Places places,
            Optional<Sparsity> sparsity) {
        AccumulatorTable c = AccumulatorTable.of(places.c(), rule.half());
        Optional<int[]> writes = AccumulatorTable.of(places.d(), rule.half()).written();
        return writes.map(
                each ->
                        new MachineProduct(
                                new FusedMemory(
                                        order, rule, codeA, codeB, factors, places, c, each,
                                        sparsity)));
    }

    /// Chains of f64 multiply-adds, each rounded to the nearest.
    static MachineProduct ofChains(Places places) {
        return new MachineProduct(new ChainMemory(places));
    }

    /// Integer products, and those of single bits.
    static Optional<MachineProduct> of(
            Overflow overflow,
            Optional<BitOperation> bits,
            IntegerFormat formatA,
            IntegerFormat formatB,
            Places places,
            Optional<Sparsity> sparsity) {
        return IntegerMemory.of(overflow, bits, formatA, formatB, places, sparsity)
                .map(MachineProduct::new);
    }

    /// For machine code that calls it.
    public ProductFunction function() {
        return new ProductFunction(code.segment(), memory, tables.selectorStep());
    }

    /// Computes D.
    ///
    /// @param metadata the words of a sparse A's metadata
    /// @param selector the sparsity selector
    /// @return false if it takes another way; then nothing was written
    public boolean run(Inputs in, int[] metadata, int selector, int[] result) {
        if (!tables.fits(in, metadata, result) || !tables.takes(in, memory)) {
            return false;
        }
        memory.set(
                ValueLayout.JAVA_LONG,
                ProductLayout.SELECTOR,
                (long) selector * tables.selectorStep());
        memory.set(
                ValueLayout.JAVA_INT,
                ProductLayout.NEGATION,
                in.negateProducts() ? Integer.MIN_VALUE : 0);
        return code.call(
                        memory,
                        MemorySegment.ofArray(in.a()),
                        MemorySegment.ofArray(in.b()),
                        MemorySegment.ofArray(in.accumulate() ? in.c() : zeros),
                        MemorySegment.ofArray(metadata),
                        MemorySegment.ofArray(result))
                == ProductCode.DONE;
    }
}
