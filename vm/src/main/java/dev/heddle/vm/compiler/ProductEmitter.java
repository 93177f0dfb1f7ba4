package dev.heddle.vm.compiler;

import static dev.heddle.vm.compiler.WarpValues.context;

import dev.heddle.tensorcore.Operands;
import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Assembler.Arithmetic;
import dev.heddle.tensorcore.x86.Assembler.Label;
import dev.heddle.tensorcore.x86.Condition;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.tensorcore.x86.ProductFunction;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Width;
import dev.heddle.vm.state.ExecutionCounters;
import dev.heddle.vm.state.TensorCores;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Products of matrices in a kernel's machine code: a call of the tensor core's own.
///
/// All registers that are still read go to the frame before, because the call keeps none. Operands
/// whose registers follow on one another are read there, and D is written there; others are put
/// together in the warp's context. What the tensor core's machine code leaves to other kernels,
/// Java computes, as it does where lanes are missing.
final class ProductEmitter {
    private static final int REGISTER_BYTES = 32 * Integer.BYTES;

    /// What the call does not keep, and where the warp's context is meanwhile.
    private static final int[] SAVED = {
        WarpValues.WORDS,
        WarpValues.LONGS,
        WarpValues.PREDICATES,
        WarpValues.COUNTS,
        WarpValues.PENDING,
        WarpValues.BUDGET,
        WarpValues.WORK
    };

    private static final int KEPT_CONTEXT = Assembler.R14;
    private static final int MEMORY = Assembler.R13;

    /// The operands in the order of the call, by their register in it.
    private static final int A = Assembler.RSI;
    private static final int B = Assembler.RDX;
    private static final int C = Assembler.RCX;
    private static final int METADATA = Assembler.R8;
    private static final int D = Assembler.R9;

    private final WarpValues values;
    private final Assembler code;
    private final List<Collective.Multiply> products = new ArrayList<>();

    ProductEmitter(WarpValues values) {
        this.values = values;
        code = values.code;
    }

    /// An operand, and where it is put together if its registers are apart.
    private record Fragment(int register, List<? extends Source> sources, int place) {
        /// The registers of a warp from which it can be read as it is, or -1.
        int first() {
            int first = -1;
            for (int i = 0; i < sources.size(); i++) {
                if (!(sources.get(i) instanceof Register each)) {
                    return -1;
                }
                first = i == 0 ? each.index() : first;
                if (each.index() != first + i) {
                    return -1;
                }
            }
            return first;
        }
    }

    /// Whether a tensor core may have machine code for it.
    static boolean knows(Exit.Synchronize exit) {
        return exit.guard() == null
                && exit.joint() instanceof Collective.Multiply product
                && product.scales().stream().allMatch(ProductEmitter::isConstant)
                && hasSelector(product)
                && Stream.concat(fragments(product).stream(), factors(product).stream())
                        .allMatch(
                                each ->
                                        each.sources().size() <= WarpContext.MOST_OPERAND_REGISTERS
                                                && each.sources().stream()
                                                        .allMatch(
                                                                source ->
                                                                        source.width()
                                                                                == Width.WORD));
    }

    /// Whether lanes supply the metadata that the sparsity selector names.
    private static boolean hasSelector(Collective.Multiply product) {
        Collective.Metadata metadata = product.metadata();
        return metadata == null
                || metadata.selector() >= 0
                        && metadata.selector()
                                < product.form().metadata().orElseThrow().selectors();
    }

    private static boolean isConstant(Collective.Scale scale) {
        return scale.byteId() instanceof Source.Constant
                && scale.threadId() instanceof Source.Constant;
    }

    /// The tensor core's machine code for a product, where it has such.
    static Optional<ProductFunction> function(TensorCores cores, Collective.Multiply product) {
        return cores.function(product.form(), selector(product, 0), selector(product, 1));
    }

    /// Which scale factors of A or of B.
    private static Operands.ScaleSelector selector(Collective.Multiply product, int operand) {
        if (product.scales().isEmpty()) {
            return Operands.ScaleSelector.ZERO;
        }
        Collective.Scale scale = product.scales().get(operand);
        return new Operands.ScaleSelector(constant(scale.byteId()), constant(scale.threadId()));
    }

    private static int constant(Source source) {
        return (int) ((Source.Constant) source).bits();
    }

    /// The products, by their number in [WarpContext#PRODUCTS].
    List<Collective.Multiply> products() {
        return products;
    }

    /// Emits a product.
    ///
    /// @param live what is read at it and behind
    /// @param behind what is read behind it
    /// @param java where lanes go if Java is to compute it, with their registers as they are
    /// @param failed where they go if the tensor core's code does not: their registers are in the
    /// frame then
    void emit(Exit.Synchronize exit, BitSet live, BitSet behind, Label java, Label failed) {
        Collective.Multiply product = (Collective.Multiply) exit.joint();
        int entry = WarpContext.PRODUCT_BYTES * products.size();
        products.add(product);
        code.arithmetic(Arithmetic.CMP, Operand.register(WarpValues.ACTIVE), -1);
        code.jump(Condition.NOT_EQUAL, java);
        code.moveLong(Assembler.RAX, context(WarpContext.PRODUCTS));
        code.moveLong(MEMORY, Operand.at(Assembler.RAX, entry + WarpContext.PRODUCT_MEMORY));
        code.testLong(MEMORY, MEMORY);
        code.jump(Condition.EQUAL, java);
        values.spillWhole(live);
        call(product, entry);
        code.test(Assembler.RAX, Assembler.RAX);
        code.jump(Condition.NOT_EQUAL, failed);
        takeResult(product);
        code.arithmeticLong(Arithmetic.SUB, WarpValues.BUDGET, ExecutionCounters.PRODUCT_WEIGHT);
        resume(behind);
    }

    /// Brings registers back to where they are outside of the call.
    void resume(BitSet live) {
        values.setInactive(WarpValues.ACTIVE);
        values.fill(live);
    }

    private static List<Fragment> fragments(Collective.Multiply product) {
        List<Fragment> all = new ArrayList<>();
        Collective.Metadata metadata = product.metadata();
        add(all, D, product.d());
        add(all, METADATA, metadata == null ? List.of() : List.of(metadata.word().source()));
        add(all, C, product.c());
        add(all, B, product.b());
        add(all, A, product.a());
        return all;
    }

    /// The scale factors, which the call finds by addresses in its memory.
    private static List<Fragment> factors(Collective.Multiply product) {
        List<Fragment> all = fragments(product);
        int operands = all.size();
        for (Collective.Scale scale : product.scales()) {
            add(all, Assembler.RBP, List.of(scale.factors().source()));
        }
        return all.subList(operands, all.size());
    }

    private static void add(List<Fragment> all, int register, List<? extends Source> sources) {
        int place = all.size() * WarpContext.MOST_OPERAND_REGISTERS * REGISTER_BYTES;
        all.add(new Fragment(register, sources, WarpContext.OPERANDS + place));
    }

    private void call(Collective.Multiply product, int entry) {
        List<Fragment> fragments = fragments(product);
        fragments.stream().filter(each -> each.register() != D).forEach(this::gather);
        Collective.Metadata metadata = product.metadata();
        if (metadata != null) {
            code.moveLong(
                    Assembler.RBP, Operand.at(Assembler.RAX, entry + WarpContext.PRODUCT_SELECTOR));
            code.multiply(Assembler.RBP, Assembler.RBP, metadata.selector());
            code.storeLong(Operand.at(MEMORY, ProductFunction.SELECTOR), Assembler.RBP);
        }
        code.storeConstant(Operand.at(MEMORY, ProductFunction.NEGATION), 0);
        int place = ProductFunction.FACTORS_A;
        for (Fragment each : factors(product)) {
            gather(each);
            code.address(each.register(), addressOf(each));
            code.storeLong(Operand.at(MEMORY, place), each.register());
            place += Long.BYTES;
        }
        code.moveLong(Assembler.RAX, Operand.at(Assembler.RAX, entry + WarpContext.PRODUCT_CODE));
        for (int i = 0; i < SAVED.length; i++) {
            code.storeLong(context(WarpContext.KEPT + Long.BYTES * i), SAVED[i]);
        }
        code.moveLong(KEPT_CONTEXT, Operand.register(WarpValues.CONTEXT));
        for (Fragment each : fragments) {
            code.address(each.register(), addressOf(each));
        }
        code.moveLong(WarpValues.CONTEXT, Operand.register(MEMORY));
        code.call(Assembler.RAX);
        code.moveLong(WarpValues.CONTEXT, Operand.register(KEPT_CONTEXT));
        for (int i = 0; i < SAVED.length; i++) {
            code.moveLong(SAVED[i], context(WarpContext.KEPT + Long.BYTES * i));
        }
    }

    /// The last of them takes the place of the register that all are addressed by.
    private static Operand addressOf(Fragment fragment) {
        int first = fragment.first();
        return first >= 0
                ? Operand.at(WarpValues.WORDS, REGISTER_BYTES * first)
                : context(fragment.place());
    }

    /// Puts an operand together whose registers are apart.
    private void gather(Fragment fragment) {
        if (fragment.first() >= 0) {
            return;
        }
        int place = fragment.place();
        for (Source source : fragment.sources()) {
            for (int chunk = 0; chunk < WarpValues.chunks(Width.WORD); chunk++) {
                if (source instanceof Register register) {
                    Operand from = WarpValues.inFrame(register, chunk);
                    code.vector(Evex.VMOVDQU32, WarpValues.RESULT, 0, from);
                } else {
                    values.copy(WarpValues.RESULT, source, chunk);
                }
                code.vector(Evex.VMOVDQU32_STORE, WarpValues.RESULT, 0, context(place));
                place += REGISTER_BYTES / 2;
            }
        }
    }

    private void takeResult(Collective.Multiply product) {
        Fragment d = fragments(product).getFirst();
        if (d.first() >= 0) {
            return;
        }
        int place = d.place();
        for (Register register : product.d()) {
            for (int chunk = 0; chunk < WarpValues.chunks(Width.WORD); chunk++) {
                code.vector(Evex.VMOVDQU32, WarpValues.RESULT, 0, context(place));
                Operand target = WarpValues.inFrame(register, chunk);
                code.vector(Evex.VMOVDQU32_STORE, WarpValues.RESULT, 0, target);
                place += REGISTER_BYTES / 2;
            }
        }
    }
}
