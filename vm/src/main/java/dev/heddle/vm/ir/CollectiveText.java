package dev.heddle.vm.ir;

import static dev.heddle.vm.ir.OperandText.assign;
import static dev.heddle.vm.ir.OperandText.optional;
import static dev.heddle.vm.ir.OperandText.places;
import static dev.heddle.vm.ir.OperandText.sources;
import static dev.heddle.vm.ir.OperandText.vector;
import static dev.heddle.vm.ir.OperandText.word;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.stream.Stream;

/// What lanes do together, as [Listing] has it.
final class CollectiveText {
    private CollectiveText() {}

    static String of(Collective joint) {
        return switch (joint) {
            case Collective.Barrier it ->
                    assign(
                            "barrier." + word(it.arrival()) + (it.aligned() ? ".aligned" : ""),
                            sources(it.barrier(), it.threads(), it.predicate()),
                            optional(it.target()));
            case Collective.WarpBarrier it ->
                    assign("warp-barrier", sources(it.members()), List.of());
            case Collective.Exchange it ->
                    assign(
                            it.function() + (it.aligned() ? ".aligned" : ""),
                            both(it.sources(), it.members()),
                            it.targets());
            case Collective.ClusterBarrier it ->
                    "cluster-barrier."
                            + (it.waits() ? "wait" : "arrive")
                            + (it.aligned() ? ".aligned" : "");
            case Collective.MatrixInstruction it -> matrix(it);
            case Collective.WarpgroupInstruction it -> warpgroup(it);
        };
    }

    private static String matrix(Collective.MatrixInstruction instruction) {
        return switch (instruction) {
            case Collective.Multiply it ->
                    assign(
                            it.form().opcode(),
                            Stream.of(it.a(), it.b(), it.c(), suppliers(it))
                                    .map(OperandText::vector)
                                    .filter(each -> !each.equals("{}"))
                                    .toList(),
                            it.d());
            case Collective.AccessMatrix it ->
                    assign(
                            it.kind() + "-" + it.layout().words() + "." + word(it.space()),
                            places(it.base(), it.offset(), it.values()),
                            it.targets());
            case Collective.NameTile it ->
                    assign(
                            "name-tile." + word(it.space()),
                            places(it.base(), it.offset(), List.of(it.stride())),
                            List.of());
        };
    }

    private static List<Source> suppliers(Collective.Multiply multiply) {
        return multiply.supplied().stream().map(Collective.Supplied::source).toList();
    }

    private static List<Source> both(List<Source> some, @Nullable Source other) {
        return Stream.concat(some.stream(), Stream.ofNullable(other)).toList();
    }

    private static String warpgroup(Collective.WarpgroupInstruction instruction) {
        return switch (instruction) {
            case Collective.MultiplyAsync it -> {
                Collective.Metadata metadata = it.metadata();
                String e = metadata == null ? "" : word(metadata.word().source());
                yield assign(
                        it.form().opcode(),
                        List.of(multiplicand(it.a()), multiplicand(it.b()), e, word(it.scaleD())),
                        it.d());
            }
            case Collective.SetRegisters it ->
                    "registers." + (it.increases() ? "inc " : "dec ") + it.count();
            case Collective.Warpgroup it -> "warpgroup." + word(it.action()) + " " + it.pending();
        };
    }

    private static String multiplicand(Collective.Multiplicand multiplicand) {
        String words =
                switch (multiplicand) {
                    case Collective.Multiplicand.InRegisters it -> vector(it.registers());
                    case Collective.Multiplicand.Described it ->
                            "[" + word(it.descriptor()) + "]." + word(it.major());
                };
        return multiplicand.negated() ? "-" + words : words;
    }
}
