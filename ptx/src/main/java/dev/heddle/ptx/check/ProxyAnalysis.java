package dev.heddle.ptx.check;

import dev.heddle.ptx.Diagnostic;
import dev.heddle.ptx.GenericInstruction;
import dev.heddle.ptx.Outcome;
import dev.heddle.ptx.Position;

import java.util.List;
import java.util.Optional;

/// Finds shared memory written by ordinary stores and read through the async proxy without
/// `fence.proxy.async` between (PTX ISA 9.7.15.4).
///
/// A kernel that fills shared memory by bulk copies too is left alone: what its products read
/// cannot be told apart.
final class ProxyAnalysis extends Forward<Optional<Position>> {

    private final Reporter reporter;

    ProxyAnalysis(Flow flow, Reporter reporter) {
        super(flow);
        this.reporter = reporter;
    }

    void run() {
        boolean reads = false;
        boolean bulk = false;
        for (GenericInstruction instruction : flow().instructions()) {
            reads |= readsThroughProxy(instruction);
            bulk |=
                    instruction.opcode().equals("cp")
                            && instruction.has("mbarrier::complete_tx::bytes");
        }
        if (reads && !bulk) {
            run(Optional.empty());
        }
    }

    private static boolean readsThroughProxy(GenericInstruction instruction) {
        return WgmmaAnalysis.isProduct(instruction)
                || (instruction.opcode().equals("cp")
                        && instruction.has("bulk")
                        && instruction.has("bulk_group"));
    }

    @Override
    Optional<Position> step(Optional<Position> before, int index) {
        GenericInstruction instruction = flow().instruction(index);
        if (instruction.opcode().equals("fence")
                && instruction.has("proxy")
                && instruction.has("async")) {
            return Optional.empty();
        }
        boolean store =
                (instruction.opcode().equals("st") && instruction.has("shared"))
                        || (instruction.opcode().equals("st") && instruction.has("shared::cta"))
                        || instruction.opcode().equals("stmatrix");
        return store && before.isEmpty() ? Optional.of(instruction.position()) : before;
    }

    @Override
    Optional<Position> meet(Optional<Position> one, Optional<Position> other) {
        return one.isPresent() ? one : other;
    }

    @Override
    void inspect(Optional<Position> before, int index) {
        GenericInstruction instruction = flow().instruction(index);
        if (before.isPresent() && readsThroughProxy(instruction)) {
            reporter.add(
                    new Diagnostic(
                            Outcome.UNDEFINED_BEHAVIOR,
                            "wgmma-proxy-fence",
                            instruction.position(),
                            instruction.mnemonic().length(),
                            instruction.mnemonic()
                                    + " reads shared memory through the async proxy; a store before"
                                    + " it has no fence.proxy.async behind it",
                            "put fence.proxy.async.shared::cta behind the stores, before the"
                                    + " barrier",
                            "9.7.15.4",
                            List.of(new Diagnostic.Note(before.get(), "stored here"))));
        }
    }
}
