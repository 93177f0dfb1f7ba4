package dev.heddle.conformance.ptxas;

import dev.heddle.isa.Legality;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

/// A sweep: what the model and the assembler say of each candidate.
///
/// @param seed  the seed of the candidates
/// @param cases every candidate with both verdicts, in the order dealt
public record AssemblerSweep(long seed, List<Case> cases) {
    public AssemblerSweep {
        cases = List.copyOf(cases);
    }

    /// A candidate with both verdicts.
    public record Case(Candidate candidate, Legality model, Ptxas.Verdict assembler) {
        /// Whether both take it or both refuse it.
        public boolean agrees() {
            return model.legal() == assembler.accepted();
        }

        /// Why they may differ; empty if they agree or nothing explains it.
        public Optional<Exemption> exemption() {
            return agrees() ? Optional.empty() : Exemption.of(this);
        }

        @Override
        public String toString() {
            return candidate
                    + "\n  model: "
                    + (model.legal() ? "accepts" : model.violations())
                    + "\n  ptxas: "
                    + (assembler.accepted() ? "accepts" : assembler.messages());
        }
    }

    /// Asks both about so many candidates.
    ///
    /// @param processes how many assemblers run at a time
    public static AssemblerSweep sweep(long seed, int count, int processes)
            throws IOException, InterruptedException {
        Path shared = Path.of("/dev/shm");
        Path folder =
                Files.isDirectory(shared)
                        ? Files.createTempDirectory(shared, "heddle-ptxas-")
                        : Files.createTempDirectory("heddle-ptxas-");
        Candidates candidates = new Candidates(seed);
        try (ExecutorService workers = Executors.newFixedThreadPool(processes)) {
            List<Future<Case>> pending = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                Candidate candidate = candidates.next();
                Path file = folder.resolve(i + ".ptx");
                pending.add(workers.submit(() -> judge(candidate, file)));
            }
            List<Case> cases = new ArrayList<>();
            for (Future<Case> one : pending) {
                cases.add(one.get());
            }
            return new AssemblerSweep(seed, cases);
        } catch (ExecutionException e) {
            throw new IOException("a sweep with seed " + seed + " failed", e);
        } finally {
            Files.delete(folder);
        }
    }

    private static Case judge(Candidate candidate, Path file)
            throws IOException, InterruptedException {
        try {
            return new Case(candidate, candidate.legality(), Ptxas.assemble(candidate, file));
        } finally {
            Files.deleteIfExists(file);
        }
    }

    /// The disagreements that no exemption explains.
    public List<Case> unexplained() {
        return cases.stream().filter(one -> !one.agrees() && one.exemption().isEmpty()).toList();
    }

    /// How many disagreements each exemption explains.
    public Map<Exemption, Long> explained() {
        return cases.stream()
                .flatMap(one -> one.exemption().stream())
                .collect(Collectors.groupingBy(e -> e, TreeMap::new, Collectors.counting()));
    }

    /// How many candidates both took and both refused, how many were explained and how many not.
    @Override
    public String toString() {
        long accepted = cases.stream().filter(one -> one.agrees() && one.model.legal()).count();
        long refused = cases.stream().filter(one -> one.agrees() && !one.model.legal()).count();
        return "seed %d: %d modules, %d accepted by both, %d refused by both, explained %s, unexplained %d"
                .formatted(
                        seed, cases.size(), accepted, refused, explained(), unexplained().size());
    }
}
