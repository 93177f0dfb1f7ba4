package dev.heddle.vm.ir;

import static dev.heddle.vm.ir.OperandText.assign;
import static dev.heddle.vm.ir.OperandText.word;
import static dev.heddle.vm.ir.OperandText.words;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.stream.Collectors;

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
/// Behind the semicolon are the line of the PTX text and the instruction, once where several
/// steps come from it. Registers have the names that PTX gave them, those that the lowering made
/// begin with `#`. A guard is in front, as in PTX.
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
            line(step.site(), guarded(step.guard(), StepText.of(step)));
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
        return exit instanceof Exit.Branch ? null : exit.guard();
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
            case Exit.ThreadExit it -> "exit" + next(it.guard(), it.next());
            case Exit.Trap it -> "trap" + next(it.guard(), it.next());
            case Exit.Synchronize it -> CollectiveText.of(it.joint()) + "; then " + it.next();
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
}
