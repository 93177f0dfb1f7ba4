package dev.heddle.ptx.check;

import dev.heddle.ptx.SourcePosition;
import dev.heddle.ptx.instruction.BoundInstruction;
import dev.heddle.ptx.instruction.InstructionKind;
import dev.heddle.ptx.instruction.InstructionKind.Memory;
import dev.heddle.ptx.instruction.InstructionKind.Proxy;

import java.util.Optional;

/// Finds shared memory written by ordinary stores and read through the async proxy without
/// `fence.proxy.async` between (PTX ISA 9.7.15.4).
///
/// A kernel that fills shared memory by bulk copies too is left alone: what its products read
/// cannot be told apart.
final class ProxyAnalysis extends Forward<Optional<SourcePosition>> {

    private final Reporter reporter;

    ProxyAnalysis(Flow flow, Reporter reporter) {
        super(flow);
        this.reporter = reporter;
    }

    void run() {
        boolean reads = false;
        boolean bulk = false;
        for (BoundInstruction instruction : flow().instructions()) {
            reads |= readsThroughProxy(instruction);
            bulk |= fillsThroughProxy(instruction);
        }
        if (reads && !bulk) {
            run(Optional.empty());
        }
    }

    private static boolean readsThroughProxy(BoundInstruction instruction) {
        return switch (instruction.kind().memory()) {
            case READS -> instruction.kind().proxy() == Proxy.ASYNC;
            case COPIES ->
                    instruction.kind().proxy() == Proxy.ASYNC && instruction.has("bulk_group");
            case NONE, WRITES, UPDATES -> false;
        };
    }

    private static boolean fillsThroughProxy(BoundInstruction instruction) {
        return instruction.kind().memory() == Memory.COPIES
                && instruction.kind().proxy() == Proxy.ASYNC
                && instruction.has("mbarrier::complete_tx::bytes");
    }

    @Override
    Optional<SourcePosition> step(Optional<SourcePosition> before, int index) {
        BoundInstruction instruction = flow().instruction(index);
        if (instruction.kind() == InstructionKind.ASYNC_PROXY_FENCE) {
            return Optional.empty();
        }
        boolean store =
                instruction.kind() == InstructionKind.STORE_MATRIX
                        || (instruction.kind() == InstructionKind.STORE
                                && "shared".equals(instruction.match().space()));
        return store && before.isEmpty() ? Optional.of(instruction.position()) : before;
    }

    @Override
    Optional<SourcePosition> meet(Optional<SourcePosition> one, Optional<SourcePosition> other) {
        return one.isPresent() ? one : other;
    }

    @Override
    void inspect(Optional<SourcePosition> before, int index) {
        BoundInstruction instruction = flow().instruction(index);
        if (before.isPresent() && readsThroughProxy(instruction)) {
            Problem problem = Problem.of("missing-proxy-fence", instruction);
            reporter.report(problem.because(before.get(), "stored here"), "");
        }
    }
}
