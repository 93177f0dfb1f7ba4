package dev.heddle.vm.ir;

import static dev.heddle.vm.ir.OperandText.access;
import static dev.heddle.vm.ir.OperandText.assign;
import static dev.heddle.vm.ir.OperandText.place;
import static dev.heddle.vm.ir.OperandText.places;
import static dev.heddle.vm.ir.OperandText.reduction;
import static dev.heddle.vm.ir.OperandText.sources;
import static dev.heddle.vm.ir.OperandText.vector;
import static dev.heddle.vm.ir.OperandText.word;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/// Steps as [Listing] has them.
final class StepText {
    private StepText() {}

    static String of(Step step) {
        return switch (step) {
            case Step.Compute it -> assign(it.operation(), it.arguments(), it.target());
            case Step.ReadSpecial it -> assign(word(it.special()), List.of(), it.target());
            case Step.Load it ->
                    assign(
                            "load" + access(it.access()),
                            places(it.base(), it.offset()),
                            it.targets());
            case Step.Store it ->
                    assign(
                            "store" + access(it.access()),
                            places(it.base(), it.offset(), it.values()),
                            List.of());
            case Step.Atomic it ->
                    assign(
                            "atomic." + word(it.operator()) + access(it.access()),
                            places(
                                    it.base(),
                                    it.offset(),
                                    Stream.of(it.operands(), it.replacements())
                                            .flatMap(List::stream)
                                            .toList()),
                            it.targets());
            case Step.AsyncCopy it ->
                    assign(
                            "async-copy." + it.bytes(),
                            List.of(
                                    place(it.destination(), it.destinationOffset()),
                                    place(it.origin(), it.originOffset()),
                                    word(it.sourceBytes()),
                                    word(it.ignore())),
                            List.of());
            case Step.AsyncGroup it -> "async-group." + word(it.kind()) + " " + it.pending();
            case BulkStep it -> bulk(it);
            case TextureStep it -> texture(it);
            case Step.AccessMemory it ->
                    assign(
                            it.function(),
                            Stream.concat(it.places().stream(), it.operands().stream()).toList(),
                            it.targets());
            case Step.MemoryBarrierObject it ->
                    assign(
                            "mbarrier." + word(it.action()) + "." + word(it.space()),
                            places(it.base(), it.offset(), it.operands()),
                            it.targets());
            case Step.Stack it ->
                    assign(
                            "stack." + word(it.request()),
                            List.of(word(it.value())),
                            Arrays.asList(it.target()));
            case Step.Bookkeeping it -> bookkeeping(it);
            case Step.Unsupported it -> "unsupported " + it.reason();
        };
    }

    private static String bulk(BulkStep step) {
        return switch (step) {
            case BulkStep.Copy it ->
                    assign(
                            "bulk-copy" + reduction(it.operator()),
                            sources(
                                    it.target(),
                                    it.origin(),
                                    it.bytes(),
                                    it.barrier(),
                                    it.ctas(),
                                    it.kept()),
                            List.of());
            case BulkStep.TensorCopy it ->
                    assign(
                            "tensor-copy"
                                    + (it.loads() ? ".load" : ".store")
                                    + (it.mode() == BulkStep.TensorCopy.Mode.TILE
                                            ? ""
                                            : "." + word(it.mode()))
                                    + reduction(it.operator()),
                            sources(
                                    it.map(),
                                    vector(it.coordinates()),
                                    it.offsets().isEmpty() ? null : vector(it.offsets()),
                                    it.shared(),
                                    it.barrier(),
                                    it.ctas()),
                            List.of());
            case BulkStep.PrefetchTensor it -> "hint " + it.site().mnemonic();
            case BulkStep.Group it ->
                    "bulk-group."
                            + word(it.kind())
                            + (it.readOnly() ? ".read " : " ")
                            + it.pending();
        };
    }

    private static String texture(TextureStep step) {
        return switch (step) {
            case TextureStep.Sample it ->
                    assign(
                            "sample."
                                    + it.sampling().geometry().word()
                                    + "."
                                    + word(it.sampling().detail()),
                            sources(
                                    it.texture(),
                                    vector(it.coordinates()),
                                    vector(it.detail()),
                                    vector(it.offsets())),
                            it.targets());
            case TextureStep.AccessSurface it ->
                    assign(
                            "surface." + word(it.movement()) + "." + it.geometry().word(),
                            sources(it.surface(), vector(it.coordinates()), vector(it.values())),
                            it.targets());
            case TextureStep.Query it ->
                    assign(
                            "query-texture." + it.query(),
                            sources(it.texture(), it.level()),
                            it.target());
        };
    }

    private static String bookkeeping(Step.Bookkeeping step) {
        return switch (step) {
            case Step.Fence it -> "fence." + word(it.order()) + "." + word(it.scope());
            case Step.ProxyFence it -> "hint " + it.site().mnemonic();
            case Step.TensorMapFence it -> "hint " + it.site().mnemonic();
            case Step.Hint it -> "hint " + it.site().mnemonic();
            case DefinednessStep.Define it -> "define slot " + it.slot();
            case DefinednessStep.DefineAs it ->
                    "define slot %d as %d".formatted(it.slot(), it.from());
            case DefinednessStep.RequireDivisor it -> "require " + sources(it.divisor()) + " not 0";
            case DefinednessStep.RequireDefined it ->
                    "require %s, slot %d%s"
                            .formatted(
                                    it.register(),
                                    it.slot(),
                                    it.users() == -1 ? "" : ", lanes 0x%08x".formatted(it.users()));
        };
    }
}
