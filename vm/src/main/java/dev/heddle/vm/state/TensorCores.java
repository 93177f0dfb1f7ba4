package dev.heddle.vm.state;

import dev.heddle.formats.InputException;
import dev.heddle.isa.Form;
import dev.heddle.tensorcore.RegisterOrder;
import dev.heddle.tensorcore.TensorCore;
import dev.heddle.tensorcore.TensorCore.UndefinedInputs;
import dev.heddle.tensorcore.numerics.Generation;

import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The tensor cores of one generation of GPUs, made at their first use. One object serves one
/// thread; those that [#fork] gives share the tables.
public final class TensorCores {
    private final Generation generation;
    private final Map<Form, TensorCore> shared;
    private final Map<Form, TensorCore> own = new HashMap<>();

    // Forms are compared by their words, which takes longer than many a product: each instruction
    // has a form object of its own, and keeps it.
    private final IdentityHashMap<Form, TensorCore> known = new IdentityHashMap<>();
    private final IdentityHashMap<Form, TensorCore> unchecked = new IdentityHashMap<>();

    /// Tensor cores that compute as this generation does.
    public TensorCores(Generation generation) {
        this(generation, new ConcurrentHashMap<>());
    }

    private TensorCores(Generation generation, Map<Form, TensorCore> shared) {
        this.generation = generation;
        this.shared = shared;
    }

    /// Tensor cores for another thread.
    public TensorCores fork() {
        return new TensorCores(generation, shared);
    }

    /// Whose arithmetic it is.
    public Generation generation() {
        return generation;
    }

    /// The tensor core of a form, for registers in [RegisterOrder#REGISTER_MAJOR].
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

    /// The same, which takes undefined metadata by their indices.
    ///
    /// @throws UnsupportedOperationException where the generation does not have the form
    public TensorCore unchecked(Form form) {
        return unchecked.computeIfAbsent(
                form, _ -> of(form).withUndefinedInputs(UndefinedInputs.BY_INDICES));
    }

    private TensorCore forked(Form form) {
        return shared.computeIfAbsent(form, this::make).fork();
    }

    private TensorCore make(Form form) {
        try {
            return TensorCore.of(form, generation).withOrder(RegisterOrder.REGISTER_MAJOR);
        } catch (InputException e) {
            throw new UnsupportedOperationException("`%s` on %s".formatted(form, generation), e);
        }
    }
}
