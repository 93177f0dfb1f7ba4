package dev.heddle.ptx;

import dev.heddle.ptx.NamePart.Array;
import dev.heddle.ptx.NamePart.Function;
import dev.heddle.ptx.NamePart.Listed;
import dev.heddle.ptx.NamePart.Operand;
import dev.heddle.ptx.NamePart.Parameter;
import dev.heddle.ptx.NamePart.Qualified;
import dev.heddle.ptx.NamePart.Text;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Writes the parts of a C++ name. A part may be in several others, so that a short name can be one
/// of any length: what takes too many steps, or is too long or too deep, is not written.
final class NameWriter {
    private static final int LONGEST = 1 << 16;
    private static final int MOST_STEPS = 1 << 18;
    private static final int DEPTH = 400;

    /// Where no pack was met.
    private static final int NONE = -1;

    private final StringBuilder text = new StringBuilder();
    private int steps;
    private int depth;
    private int turn;
    private int turns = NONE;
    private @Nullable Scope scope;
    private int lambdas;

    /// What parameters of templates stand for.
    ///
    /// @param outer what they stand for in these arguments
    record Scope(Listed arguments, @Nullable Scope outer) {}

    /// A part, where its parameters stand for something of their own.
    record Placed(NamePart part, @Nullable Scope scope) {}

    /// A part as text.
    static String written(NamePart part) {
        NameWriter out = new NameWriter();
        out.whole(part);
        return out.text.toString();
    }

    void write(String words) {
        if (text.length() + words.length() > LONGEST) {
            throw new MangledText.Beyond();
        }
        text.append(words);
    }

    int length() {
        return text.length();
    }

    void cut(int length) {
        text.setLength(length);
    }

    void whole(NamePart part) {
        left(part);
        right(part);
    }

    void left(NamePart part) {
        enter();
        part.left(this);
        depth--;
    }

    void right(NamePart part) {
        enter();
        part.right(this);
        depth--;
    }

    private void enter() {
        step();
        if (++depth > DEPTH) {
            throw new MangledText.Beyond();
        }
    }

    private void step() {
        if (++steps > MOST_STEPS) {
            throw new MangledText.Beyond();
        }
    }

    // Parameters of templates.

    /// Writes where parameters stand for these; where they are null, for the same as before.
    void inside(@Nullable Listed arguments, Runnable writing) {
        in(arguments == null ? scope : new Scope(arguments, scope), writing);
    }

    private void in(@Nullable Scope other, Runnable writing) {
        Scope before = scope;
        scope = other;
        writing.run();
        scope = before;
    }

    void left(Placed placed) {
        if (placed.part instanceof Parameter(int index)) {
            write("auto:" + (index + 1));
        } else {
            in(placed.scope, () -> left(placed.part));
        }
    }

    void right(Placed placed) {
        if (!(placed.part instanceof Parameter)) {
            in(placed.scope, () -> right(placed.part));
        }
    }

    /// What a part stands for in the end; the parameters of a lambda stand for themselves.
    Placed resolved(NamePart part) {
        return resolved(part, scope);
    }

    Placed resolved(NamePart part, @Nullable Scope in) {
        NamePart found = part;
        Scope where = in;
        step();
        while (found instanceof Parameter(int index)) {
            NamePart argument = argument(index, where);
            if (lambdas > 0) {
                return new Placed(found, where);
            }
            if (argument == null || where == null) {
                throw new MangledText.Beyond();
            }
            found = argument;
            where = where.outer;
            step();
        }
        return new Placed(found, where);
    }

    private @Nullable NamePart argument(int index, @Nullable Scope in) {
        if (in == null || index >= in.arguments.parts().size()) {
            return null;
        }
        NamePart argument = in.arguments.parts().get(index);
        if (!(argument instanceof Listed(List<NamePart> elements))) {
            return argument;
        }
        if (turns == NONE) {
            turns = elements.size();
        }
        return turn < elements.size() ? elements.get(turn) : Text.NONE;
    }

    /// How many elements a pack has.
    int elements(NamePart pack) {
        if (pack instanceof Parameter(int index)
                && scope != null
                && index < scope.arguments.parts().size()
                && scope.arguments.parts().get(index) instanceof Listed(List<NamePart> elements)) {
            return elements.size();
        }
        throw new MangledText.Beyond();
    }

    /// Writes the parameters of a lambda.
    void ofLambda(NamePart parameters) {
        int outerTurns = turns;
        turns = outerTurns == NONE ? 0 : outerTurns;
        lambdas++;
        whole(parameters);
        lambdas--;
        turns = outerTurns;
    }

    /// Writes a pattern for each element of the packs in it, with commas between.
    void expand(NamePart pattern) {
        int outerTurn = turn;
        int outerTurns = turns;
        turn = 0;
        turns = NONE;
        int start = text.length();
        whole(pattern);
        if (turns == NONE) {
            cut(start);
            whole(new Operand(pattern));
            write("...");
        } else if (turns == 0) {
            cut(start);
        }
        for (int i = 1; i < turns; i++) {
            turn = i;
            write(", ");
            whole(pattern);
        }
        turn = outerTurn;
        turns = outerTurns;
    }

    // Pointers to functions and arrays are in brackets.

    void openFor(Placed to) {
        left(to);
        switch (core(to)) {
            case Array _ -> write(" (");
            case Function _ -> write("(");
            default -> {}
        }
    }

    void closeFor(Placed to) {
        if (core(to) instanceof Array || core(to) instanceof Function) {
            write(")");
        }
        right(to);
    }

    private NamePart core(Placed part) {
        Placed core = part;
        while (core.part instanceof Qualified(NamePart type, _)) {
            core = resolved(type, core.scope);
        }
        return core.part;
    }
}
