package dev.heddle.ptx.check;

import dev.heddle.ptx.Corpus;
import dev.heddle.ptx.Mutation;
import dev.heddle.ptx.Ptx;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Compares this module's verdicts with those of the assembler on one-place mutations of compiled
/// kernels.
///
/// `main COUNT SEED` runs it at length and prints every disagreement.
final class MutationCampaign {

    /// One mutation and what both said.
    record Result(
            long seed, Path file, Mutation mutation, Assembler.Answer assembler, CheckReport ours) {

        boolean agrees() {
            return assembler.accepted() == (ours.verdict() != CheckReport.Verdict.REJECT);
        }

        @Override
        public String toString() {
            String reason = ours.findings().isEmpty() ? "" : ours.findings().getFirst().message();
            return "%s %s seed %d line %d: %s%n      ptxas: %s%n      here: %s"
                    .formatted(
                            assembler.accepted() ? "REJECTED HERE" : "ACCEPTED HERE",
                            mutation.kind(),
                            seed,
                            mutation.line(),
                            mutation.changed(),
                            assembler.accepted() ? "accepted" : assembler.message(),
                            ours.verdict() == CheckReport.Verdict.REJECT ? reason : "accepted");
        }
    }

    private MutationCampaign() {}

    static List<Result> run(int count, long seed) throws IOException, InterruptedException {
        List<Path> files = Corpus.files();
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            List<Future<Result>> futures = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                long own = seed + i;
                futures.add(threads.submit(() -> one(files, own)));
            }
            List<Result> results = new ArrayList<>();
            for (Future<Result> future : futures) {
                results.add(future.get());
            }
            return results;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    private static Result one(List<Path> files, long seed)
            throws IOException, InterruptedException {
        SplittableRandom random = new SplittableRandom(seed);
        while (true) {
            Path file = files.get(random.nextInt(files.size()));
            String text = Files.readString(file, StandardCharsets.ISO_8859_1);
            String architecture = Ptx.parse(text, "header").module().target().architecture();
            if (text.length() > 100_000
                    || (architecture.compareTo("sm_75") < 0 && architecture.length() == 5)) {
                continue;
            }
            Mutation mutation = Mutation.of(text, random);
            return new Result(
                    seed,
                    file,
                    mutation,
                    Assembler.assemble(mutation.text(), architecture),
                    Check.text(mutation.text(), "mutant.ptx"));
        }
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        int count = Integer.parseInt(arguments[0]);
        List<Result> results = run(count, Long.parseLong(arguments[1]));
        int agree = 0;
        int rejected = 0;
        for (Result result : results) {
            agree += result.agrees() ? 1 : 0;
            rejected += result.assembler().accepted() ? 0 : 1;
            if (!result.agrees()) {
                System.out.println(result);
            }
        }
        System.out.printf(
                "%d mutations, %d rejected by ptxas, %d verdicts agree (%.2f %%)%n",
                count, rejected, agree, 100.0 * agree / count);
    }
}
