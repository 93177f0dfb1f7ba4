package dev.heddle.vm.advice;

import dev.heddle.vm.ir.Site;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/// What a launch spent, by instruction.
///
/// @param shared accesses to shared memory
/// @param global accesses to global memory
/// @param branches that lanes of a warp may take differently
/// @param barriers of whole CTAs
public record Advice(
        List<Shared> shared, List<Global> global, List<Branch> branches, List<Barrier> barriers) {
    public Advice {
        shared = List.copyOf(shared);
        global = List.copyOf(global);
        branches = List.copyOf(branches);
        barriers = List.copyOf(barriers);
    }

    /// An instruction that accesses shared memory.
    ///
    /// @param operation what it does there
    /// @param requests how often a warp executed it
    /// @param wavefronts that these took
    /// @param ideal wavefronts without conflicts
    /// @param ways the worst conflict: so many words of one bank at once, or lanes of an atomic
    ///     operation
    public record Shared(
            Site site, Operation operation, long requests, long wavefronts, long ideal, int ways) {
        /// Wavefronts that are conflicts.
        public long conflicts() {
            return wavefronts - ideal;
        }
    }

    /// An instruction that accesses global memory.
    ///
    /// @param operation what it does there
    /// @param requests how often a warp executed it
    /// @param sectors of 32 bytes that were moved
    /// @param ideal sectors that the bytes asked for would fill
    /// @param bytes asked for
    public record Global(
            Site site, Operation operation, long requests, long sectors, long ideal, long bytes) {
        /// Bytes asked for in each sector that was moved: 32 at best.
        public double bytesPerSector() {
            return sectors == 0 ? 0 : (double) bytes / sectors;
        }
    }

    /// A branch.
    ///
    /// @param executed how often by a warp
    /// @param divergent how often its lanes parted
    public record Branch(Site site, long executed, long divergent) {}

    /// A barrier of a whole CTA.
    ///
    /// @param executed how often by a CTA
    /// @param needed how often it ordered an access of one thread and one of another that no other
    ///     barrier orders, but for those that are never needed
    public record Barrier(Site site, long executed, long needed) {}

    /// What is worth a look, the costliest first: one line each.
    public List<String> lines() {
        return Stream.of(conflicts(), uncoalesced(), divergent(), redundant())
                .flatMap(Function.identity())
                .toList();
    }

    private Stream<String> conflicts() {
        return shared.stream()
                .filter(one -> one.conflicts() > 0)
                .sorted((a, b) -> Long.compare(b.conflicts(), a.conflicts()))
                .map(
                        one ->
                                "%s%d%s: %,d wavefronts where %,d would do, in %,d requests"
                                        .formatted(
                                                place(one.site()),
                                                one.ways(),
                                                one.operation().isAtomic()
                                                        ? " lanes take turns at a bank"
                                                        : "-way bank conflicts",
                                                one.wavefronts(),
                                                one.ideal(),
                                                one.requests()));
    }

    private Stream<String> uncoalesced() {
        return global.stream()
                .filter(one -> one.sectors() > one.ideal())
                .sorted((a, b) -> Long.compare(b.sectors() - b.ideal(), a.sectors() - a.ideal()))
                .map(Advice::uncoalesced);
    }

    private static String uncoalesced(Global one) {
        return place(one.site())
                + String.format(
                        Locale.ROOT,
                        "uncoalesced%s: %,d sectors where %,d would do, %.1f a request; %.1f of 32"
                                + " bytes used",
                        one.operation().isAtomic() ? ", or lanes take turns at a word" : "",
                        one.sectors(),
                        one.ideal(),
                        (double) one.sectors() / one.requests(),
                        one.bytesPerSector());
    }

    private Stream<String> divergent() {
        return branches.stream()
                .filter(one -> one.divergent() > 0)
                .sorted((a, b) -> Long.compare(b.divergent(), a.divergent()))
                .map(
                        one ->
                                place(one.site())
                                        + "lanes part in %,d of %,d executions by a warp"
                                                .formatted(one.divergent(), one.executed()));
    }

    private Stream<String> redundant() {
        return barriers.stream()
                .filter(one -> one.needed() == 0)
                .map(
                        one ->
                                place(one.site())
                                        + "redundant in this launch: in %,d executions it ordered no access of one thread and another's that other barriers do not"
                                                .formatted(one.executed()));
    }

    private static String place(Site site) {
        String source = site.source() == null ? "" : " (source: " + site.source() + ")";
        return "advice: " + site + source + ": ";
    }

    /// The figures that hardware counters show, by the names that Nsight Compute gives them.
    public Map<String, Object> metrics() {
        Map<String, Object> metrics = new LinkedHashMap<>();
        for (Operation operation : Operation.values()) {
            String op = operation.counter();
            List<Shared> ours = shared.stream().filter(one -> one.operation == operation).toList();
            if (operation != Operation.REDUCTION) {
                metrics.put(
                        "l1tex__data_bank_conflicts_pipe_lsu_mem_shared" + op,
                        ours.stream().mapToLong(Shared::conflicts).sum());
                metrics.put(
                        "l1tex__data_pipe_lsu_wavefronts_mem_shared" + op,
                        ours.stream().mapToLong(Shared::wavefronts).sum());
            }
            List<Global> moved = global.stream().filter(one -> one.operation == operation).toList();
            metrics.put(
                    "l1tex__t_requests_pipe_lsu_mem_global" + op,
                    moved.stream().mapToLong(Global::requests).sum());
            metrics.put(
                    "l1tex__t_sectors_pipe_lsu_mem_global" + op,
                    moved.stream().mapToLong(Global::sectors).sum());
        }
        return metrics;
    }

    /// All of it as programs read it.
    public Map<String, Object> json() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("shared", shared.stream().map(Advice::json).toList());
        object.put("global", global.stream().map(Advice::json).toList());
        object.put("branches", branches.stream().map(Advice::json).toList());
        object.put("barriers", barriers.stream().map(Advice::json).toList());
        object.put("metrics", metrics());
        return object;
    }

    private static Map<String, Object> json(Shared one) {
        Map<String, Object> object = object(one.site());
        object.put("requests", one.requests());
        object.put("wavefronts", one.wavefronts());
        object.put("ideal_wavefronts", one.ideal());
        object.put("bank_conflicts", one.conflicts());
        object.put("ways", one.ways());
        return object;
    }

    private static Map<String, Object> json(Global one) {
        Map<String, Object> object = object(one.site());
        object.put("requests", one.requests());
        object.put("sectors", one.sectors());
        object.put("ideal_sectors", one.ideal());
        object.put("bytes", one.bytes());
        object.put("bytes_per_sector", one.bytesPerSector());
        return object;
    }

    private static Map<String, Object> json(Branch one) {
        Map<String, Object> object = object(one.site());
        object.put("executed", one.executed());
        object.put("divergent", one.divergent());
        return object;
    }

    private static Map<String, Object> json(Barrier one) {
        Map<String, Object> object = object(one.site());
        object.put("executed", one.executed());
        object.put("needed", one.needed());
        return object;
    }

    private static Map<String, Object> object(Site site) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("place", site.position().toString());
        object.put("line", site.position().line());
        object.put("column", site.position().column());
        object.put("source", site.source() == null ? "" : site.source());
        object.put("instruction", site.mnemonic());
        return object;
    }
}
