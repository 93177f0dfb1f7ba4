package dev.heddle.vm.interpreter;

import dev.heddle.isa.Form;
import dev.heddle.tensorcore.Operands;
import dev.heddle.tensorcore.RegisterOrder;
import dev.heddle.tensorcore.TensorCore;
import dev.heddle.tensorcore.numerics.Generation;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The tensor cores of one generation of GPUs.
public final class TensorCoreUnit implements MatrixUnit {
    private final Generation generation;
    private final Map<String, TensorCore> cores = new ConcurrentHashMap<>();

    /// A unit that computes as this generation does.
    public TensorCoreUnit(Generation generation) {
        this.generation = generation;
    }

    @Override
    public Multiplier multiplier(String opcode) {
        TensorCore core;
        try {
            core = cores.computeIfAbsent(opcode, this::core).fork();
        } catch (IllegalArgumentException e) {
            throw new UnsupportedOperationException("`" + opcode + "` (" + e.getMessage() + ")", e);
        }
        return (d, a, b, c, metadata, selector) -> {
            Operands operands = Operands.of(a, b, c);
            core.execute(
                    metadata.length == 0 ? operands : operands.withMetadata(metadata, selector), d);
        };
    }

    private TensorCore core(String mnemonic) {
        return TensorCore.of(Form.of(mnemonic), generation).withOrder(RegisterOrder.REGISTER_MAJOR);
    }
}
