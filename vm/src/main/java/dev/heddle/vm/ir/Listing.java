package dev.heddle.vm.ir;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The text of a code, as `heddle run --dump ir` prints it: one step a line, blocks by number.
///
/// ```
/// kernel vadd(.b64 a at 0, .b64 b at 8)   3 words, 2 longs, 1 predicate
/// 0:
///     %r1 = tid.x                             ; 12: mov.u32
///     %p1 = ge.s32 %r1, 4                     ; 13: setp.ge.s32
///     branch %p1 -> 2 else 1                  ; 14: bra
/// ```
///
/// Behind the semicolon stand the line of the PTX text and the instruction, once where several
/// steps come from it. Registers have the names that PTX gave them, those that the lowering made
/// begin with `#`. A guard stands in front, as in PTX.
public final class Listing {
    private static final int COLUMN = 56;

    private final StringBuilder text = new StringBuilder();
    private final Code code;
    private int lastSite = -1;

    private Listing(Code code) {
        this.code = code;
    }

    /// The text of a code.
    public static String of(Code code) {
        Listing listing = new Listing(code);
        listing.header();
        for (Block block : code.blocks()) {
            listing.block(block);
        }
        return listing.text.toString();
    }

    private void header() {
        text.append(code.kernel() ? "kernel " : "function ").append(code.name()).append('(');
        text.append(parameters(code.parameters())).append(')');
        if (!code.results().isEmpty()) {
            text.append(" -> (").append(parameters(code.results())).append(')');
        }
        text.append(
                "   %d words, %d longs, %d predicates"
                        .formatted(code.words(), code.longs(), code.predicates()));
        append(code.frameBytes(), " bytes of local memory");
        append(code.sharedBytes(), " bytes of shared memory");
        append(code.tracked(), " registers tracked");
        text.append('\n');
    }

    private void append(int count, String what) {
        if (count > 0) {
            text.append(", ").append(count).append(what);
        }
    }

    private static String parameters(List<Code.Parameter> parameters) {
        return parameters.stream().map(Listing::parameter).collect(Collectors.joining(", "));
    }

    private static String parameter(Code.Parameter parameter) {
        return parameter.register() == null
                ? "%s: %d bytes at %d"
                        .formatted(parameter.name(), parameter.bytes(), parameter.offset())
                : words(parameter.registers());
    }

    private void block(Block block) {
        text.append(block.number()).append(":\n");
        lastSite = -1;
        for (Step step : block.steps()) {
            line(step.site(), guarded(step.guard(), step(step)));
        }
        Exit exit = block.exit();
        line(exit.site(), guarded(guardOutside(exit), exit(exit)));
    }

    private void line(@Nullable Site site, String words) {
        StringBuilder line = new StringBuilder("    ").append(words);
        if (site != null && site.number() != lastSite) {
            while (line.length() < COLUMN) {
                line.append(' ');
            }
            line.append(" ; ").append(site.position().line()).append(": ").append(site.mnemonic());
            lastSite = site.number();
        }
        text.append(line).append('\n');
    }

    private static String guarded(@Nullable Guard guard, String words) {
        return guard == null ? words : "@" + predicate(guard) + " " + words;
    }

    private static String predicate(Guard guard) {
        return (guard.negated() ? "!" : "") + guard.predicate();
    }

    // A branch says its guard itself.
    private static @Nullable Guard guardOutside(Exit exit) {
        return exit instanceof Exit.Branch ? null : Effects.guardOf(exit);
    }

    private static String step(Step step) {
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
            case Step.BulkCopy it ->
                    assign(
                            "bulk-copy" + reduction(it.operator()),
                            sources(it.target(), it.origin(), it.bytes(), it.barrier(), it.ctas()),
                            List.of());
            case Step.TensorCopy it ->
                    assign(
                            "tensor-copy"
                                    + (it.loads() ? ".load" : ".store")
                                    + reduction(it.operator()),
                            sources(
                                    it.map(),
                                    vector(it.coordinates()),
                                    it.offsets() == null ? null : vector(it.offsets()),
                                    it.shared(),
                                    it.barrier(),
                                    it.ctas()),
                            List.of());
            case Step.BulkGroup it ->
                    "bulk-group."
                            + word(it.kind())
                            + (it.readOnly() ? ".read " : " ")
                            + it.pending();
            case Step.SampleTexture it ->
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
            case Step.AccessSurface it ->
                    assign(
                            "surface." + word(it.movement()) + "." + it.geometry().word(),
                            sources(it.surface(), vector(it.coordinates()), vector(it.values())),
                            it.targets());
            case Step.QueryTexture it ->
                    assign(
                            "query-texture." + it.query(),
                            sources(it.texture(), it.level()),
                            it.target());
            case Step.BulkStore it ->
                    assign("bulk-store", sources(it.target(), it.bytes()), List.of());
            case Step.CancelCluster it ->
                    assign(
                            "cancel-cluster" + (it.everywhere() ? ".everywhere" : ""),
                            sources(it.response(), it.barrier()),
                            List.of());
            case Step.ReplaceInTensorMap it ->
                    assign(
                            "tensor-map." + it.field() + "." + it.ordinal(),
                            sources(it.map(), it.value()),
                            List.of());
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
            case Step.ActiveMask it -> assign("activemask", List.of(), it.target());
            case Step.Fence it -> "fence." + word(it.order()) + "." + word(it.scope());
            case Step.ProxyFence it -> "hint " + it.site().mnemonic();
            case Step.Hint it -> "hint " + it.site().mnemonic();
            case Step.Define it -> "define slot " + it.slot();
            case Step.DefineAs it -> "define slot %d as %d".formatted(it.slot(), it.from());
            case Step.RequireDefined it ->
                    "require %s, slot %d%s"
                            .formatted(
                                    it.register(),
                                    it.slot(),
                                    it.users() == -1 ? "" : ", lanes 0x%08x".formatted(it.users()));
            case Step.Unsupported it -> "unsupported " + it.reason();
        };
    }

    private static String exit(Exit exit) {
        return switch (exit) {
            case Exit.Jump it -> "jump " + it.target();
            case Exit.Branch it ->
                    "branch%s %s -> %d else %d"
                            .formatted(
                                    it.uniform() ? ".uniform" : "",
                                    predicate(it.guard()),
                                    it.taken(),
                                    it.next());
            case Exit.IndexedBranch it ->
                    "branch.indexed %s -> %s%s"
                            .formatted(word(it.index()), it.targets(), next(it.guard(), it.next()));
            case Exit.Call it ->
                    assign(
                                    "call " + callee(it),
                                    it.arguments().stream().map(Exit.Argument::value).toList(),
                                    it.results().stream().map(Exit.Argument::value).toList())
                            + "; then "
                            + it.next();
            case Exit.Return it -> "return" + next(it.guard(), it.next());
            case Exit.Leave it -> "exit" + next(it.guard(), it.next());
            case Exit.Trap it -> "trap" + next(it.guard(), it.next());
            case Exit.Synchronize it -> collective(it.joint()) + "; then " + it.next();
        };
    }

    private static String callee(Exit.Call call) {
        return call.builtin() != null
                ? call.builtin()
                : call.address() != null ? "*" + word(call.address()) : "#" + call.callee();
    }

    private static String next(@Nullable Guard guard, int next) {
        return guard == null || next < 0 ? "" : " else " + next;
    }

    private static String collective(Collective joint) {
        return switch (joint) {
            case Collective.Barrier it ->
                    assign(
                            "barrier." + word(it.arrival()) + (it.aligned() ? ".aligned" : ""),
                            sources(it.barrier(), it.threads(), it.predicate()),
                            optional(it.target()));
            case Collective.WarpBarrier it ->
                    assign("warp-barrier", sources(it.members()), List.of());
            case Collective.Shuffle it ->
                    assign(
                            "shuffle." + word(it.direction()),
                            sources(it.value(), it.lane(), it.clamp(), it.members()),
                            optional(it.target(), it.inRange()));
            case Collective.Vote it ->
                    assign(
                            "vote." + word(it.question()),
                            sources(it.predicate(), it.members()),
                            it.target());
            case Collective.Match it ->
                    assign(
                            it.all() ? "match.all" : "match.any",
                            sources(it.value(), it.members()),
                            optional(it.target(), it.agreed()));
            case Collective.Reduce it ->
                    assign(
                            "reduce." + it.operation(),
                            sources(it.value(), it.members()),
                            it.target());
            case Collective.Elect it ->
                    assign("elect", sources(it.members()), optional(it.leader(), it.elected()));
            case Collective.Multiply it ->
                    assign(
                            it.form().opcode(),
                            Stream.of(
                                            vector(it.a()),
                                            vector(it.b()),
                                            vector(it.c()),
                                            vector(
                                                    it.supplied().stream()
                                                            .map(Collective.Supplied::source)
                                                            .toList()))
                                    .filter(each -> !each.equals("{}"))
                                    .toList(),
                            it.d());
            case Collective.MultiplyAsync it ->
                    assign(
                            it.form().opcode(),
                            List.of(
                                    multiplicand(it.a()),
                                    multiplicand(it.b()),
                                    it.metadata() == null
                                            ? ""
                                            : word(it.metadata().word().source()),
                                    word(it.scaleD())),
                            it.d());
            case Collective.Warpgroup it -> "warpgroup." + word(it.action()) + " " + it.pending();
            case Collective.ClusterBarrier it ->
                    "cluster-barrier."
                            + (it.waits() ? "wait" : "arrive")
                            + (it.aligned() ? ".aligned" : "");
            case Collective.LoadMatrix it ->
                    assign(
                            "load-matrix" + it.dealt() + "." + word(it.space()),
                            places(it.base(), it.offset()),
                            it.targets());
            case Collective.StoreMatrix it ->
                    assign(
                            "store-matrix" + it.dealt() + "." + word(it.space()),
                            places(it.base(), it.offset(), it.values()),
                            List.of());
            case Collective.TransposeMatrix it ->
                    assign("transpose-matrix", sources(it.value()), it.target());
            case Collective.LoadTile it ->
                    assign(
                            "load-tile." + word(it.space()),
                            places(it.base(), it.offset(), optional(it.stride())),
                            it.targets());
            case Collective.StoreTile it ->
                    assign(
                            "store-tile." + word(it.space()),
                            places(
                                    it.base(),
                                    it.offset(),
                                    Stream.concat(
                                                    it.values().stream(),
                                                    optional(it.stride()).stream())
                                            .toList()),
                            List.of());
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

    // Words.

    private static String assign(Object what, List<?> operands, Register target) {
        return assign(what, operands, List.of(target));
    }

    private static String assign(
            Object what, List<?> operands, List<? extends @Nullable Object> to) {
        String targets = to.stream().map(Listing::word).collect(Collectors.joining(", "));
        String read =
                operands.stream()
                        .map(Listing::word)
                        .filter(each -> !each.isEmpty())
                        .collect(Collectors.joining(", "));
        return (targets.isEmpty() ? "" : targets + " = ")
                + what
                + (read.isEmpty() ? "" : " " + read);
    }

    private static String words(List<?> all) {
        return all.stream().map(Listing::word).collect(Collectors.joining(", "));
    }

    private static String vector(List<? extends Source> all) {
        return "{" + words(all) + "}";
    }

    private static List<?> sources(@Nullable Object... all) {
        return Arrays.stream(all).filter(Objects::nonNull).toList();
    }

    private static String reduction(@Nullable AtomicOperator operator) {
        return operator == null ? "" : "." + word(operator);
    }

    @SafeVarargs
    private static <T> List<T> optional(@Nullable T... all) {
        return Arrays.stream(all).filter(Objects::nonNull).toList();
    }

    private static List<String> places(Source base, long offset) {
        return List.of(place(base, offset));
    }

    private static List<String> places(Source base, long offset, List<? extends Source> others) {
        List<String> all = new ArrayList<>(places(base, offset));
        others.forEach(other -> all.add(word(other)));
        return all;
    }

    private static String place(Source base, long offset) {
        String from = word(base);
        return "["
                + (offset == 0 ? from : from + (offset < 0 ? "-" : "+") + Math.abs(offset))
                + "]";
    }

    private static String access(Access access) {
        return (access.isStrong() ? "." + word(access.order()) + "." + word(access.scope()) : "")
                + "."
                + word(access.space())
                + (access.signed() ? ".s" : ".b")
                + 8 * access.bytes();
    }

    private static String word(@Nullable Object thing) {
        return switch (thing) {
            case null -> "_";
            case SpecialRegister special ->
                    special.name()
                            .toLowerCase(Locale.ROOT)
                            .replace("_x", ".x")
                            .replace("_y", ".y")
                            .replace("_z", ".z");
            case Enum<?> constant -> constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
            case Source.Constant(Width width, long bits) ->
                    switch (width) {
                        case PREDICATE -> bits != 0 ? "true" : "false";
                        case WORD -> Integer.toString((int) bits);
                        case LONG -> bits + "L";
                    };
            case Step.Place at ->
                    place(at.base(), at.offset()).replace("[", "[" + word(at.space()) + " ");
            case Source.FrameAddress(long at) -> "frame+" + at;
            default -> thing.toString();
        };
    }
}
