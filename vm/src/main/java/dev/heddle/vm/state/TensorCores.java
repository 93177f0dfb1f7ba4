package dev.heddle.vm.state;

import dev.heddle.formats.InputException;
import dev.heddle.isa.Form;
import dev.heddle.isa.Role;
import dev.heddle.isa.SharedMatrix.Major;
import dev.heddle.tensorcore.Operands.ScaleSelector;
import dev.heddle.tensorcore.RegisterOrder;
import dev.heddle.tensorcore.TensorCore;
import dev.heddle.tensorcore.TensorCore.UndefinedInputs;
import dev.heddle.tensorcore.numerics.Generation;
import dev.heddle.tensorcore.x86.ProductFunction;
import dev.heddle.vm.shadow.Footprint;

import org.jspecify.annotations.Nullable;

import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;

/// The tensor cores of one generation of GPUs, made at their first use. One object serves one
/// thread; [#take] gives another thread its own. What a thread gives back serves later launches:
/// to make tensor cores takes as long as a small kernel.
public final class TensorCores {
    /// Matrices whose footprints are kept.
    private static final int MOST_FOOTPRINTS = 1024;

    /// A matrix of a product in shared memory.
    ///
    /// @param descriptor where it stands, in the bits that PTX gives them
    public record Operand(TensorCore core, Role role, Major major, long descriptor) {}

    /// Forms whose tensor cores are kept for later launches.
    private static final int MOST_FORMS = 64;

    private final Generation generation;
    private final Map<Form, TensorCore> shared;
    private final Map<Form, TensorCore> own = new HashMap<>();
    private final Map<Form, TensorCore> ownUnchecked = new HashMap<>();
    private final Deque<TensorCores> spare;
    private final Map<Operand, Footprint> footprints = new HashMap<>();

    // Forms are compared by their words, which takes longer than many a product: each instruction
    // has a form object of its own, and keeps it.
    private final IdentityHashMap<Form, TensorCore> known = new IdentityHashMap<>();
    private final IdentityHashMap<Form, TensorCore> unchecked = new IdentityHashMap<>();

    /// Tensor cores that compute as this generation does.
    public TensorCores(Generation generation) {
        this(generation, new ConcurrentHashMap<>(), new ConcurrentLinkedDeque<>());
    }

    private TensorCores(
            Generation generation, Map<Form, TensorCore> shared, Deque<TensorCores> spare) {
        this.generation = generation;
        this.shared = shared;
        this.spare = spare;
    }

    /// Tensor cores for another thread, until it calls [#giveBack].
    public TensorCores take() {
        TensorCores taken = spare.poll();
        return taken == null ? new TensorCores(generation, shared, spare) : taken;
    }

    /// They are free for others. Those of very many forms are dropped.
    public void giveBack() {
        known.clear();
        unchecked.clear();
        if (own.size() <= MOST_FORMS) {
            spare.push(this);
        }
    }

    /// Whose arithmetic it is.
    public Generation generation() {
        return generation;
    }

    /// The tensor core of a form, for registers in [RegisterOrder#WARP_MAJOR].
    ///
    /// @throws UnsupportedOperationException where the generation does not have the form
    public TensorCore of(Form form) {
        TensorCore core = known.get(form);
        if (core == null) {
            core = own.computeIfAbsent(form, this::forked);
            known.put(form, core);
        }
        return core;
    }

    /// The machine code of a form, where there is some and the generation has the form.
    ///
    /// @param a which scale factors of A, where there are some
    /// @param b which of B
    public Optional<ProductFunction> function(Form form, ScaleSelector a, ScaleSelector b) {
        try {
            return of(form).function(a, b);
        } catch (UnsupportedOperationException _) {
            return Optional.empty();
        }
    }

    /// The shared memory that a matrix stands in, or null where that is not known: kernels multiply
    /// the same few places again and again.
    public @Nullable Footprint footprint(Operand operand) {
        return footprints.get(operand);
    }

    /// Keeps what was found of a matrix.
    public void keep(Operand operand, Footprint footprint) {
        if (footprints.size() == MOST_FOOTPRINTS) {
            footprints.clear();
        }
        footprints.put(operand, footprint);
    }

    /// The same, which takes undefined metadata by their indices.
    ///
    /// @throws UnsupportedOperationException where the generation does not have the form
    public TensorCore unchecked(Form form) {
        TensorCore core = unchecked.get(form);
        if (core == null) {
            core =
                    ownUnchecked.computeIfAbsent(
                            form, _ -> of(form).withUndefinedInputs(UndefinedInputs.BY_INDICES));
            unchecked.put(form, core);
        }
        return core;
    }

    private TensorCore forked(Form form) {
        return shared.computeIfAbsent(form, this::make).fork();
    }

    private TensorCore make(Form form) {
        try {
            return TensorCore.of(form, generation).withOrder(RegisterOrder.WARP_MAJOR);
        } catch (InputException e) {
            throw new UnsupportedOperationException("`%s` on %s".formatted(form, generation), e);
        }
    }
}
