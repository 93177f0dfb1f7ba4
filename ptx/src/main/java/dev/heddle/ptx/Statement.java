package dev.heddle.ptx;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// What is in the body of a function.
public sealed interface Statement
        permits Variable,
                Instruction,
                Statement.Label,
                Statement.Block,
                Statement.Location,
                Statement.Pragma,
                Statement.BranchTargets,
                Statement.CallTargets,
                Statement.CallPrototype {

    /// Where it begins.
    SourcePosition position();

    /// A label of an instruction.
    ///
    /// @param name without its colon
    /// @param position where it is
    record Label(String name, SourcePosition position) implements Statement {}

    /// Statements in braces, with a scope of their own for variables and labels.
    ///
    /// @param statements in order
    /// @param position where the brace opens
    record Block(List<Statement> statements, SourcePosition position) implements Statement {
        public Block {
            statements = List.copyOf(statements);
        }
    }

    /// `.loc`: the source line of the instructions that follow (11.5.4).
    ///
    /// @param file the index a `.file` directive declares
    /// @param line in that file
    /// @param column in that line
    /// @param inlined where the function was inlined, or null
    /// @param position where the directive is
    record Location(
            int file, int line, int column, @Nullable Inlined inlined, SourcePosition position)
            implements Statement {}

    /// The second half of a `.loc` for inlined code.
    ///
    /// @param functionName the label in `.debug_str`
    /// @param functionOffset bytes added to it
    /// @param file index of the file it was inlined into
    /// @param line in that file
    /// @param column in that line
    record Inlined(String functionName, long functionOffset, int file, int line, int column) {}

    /// `.pragma` in a body (11.4.7).
    ///
    /// @param texts the strings, without quotes
    /// @param position where the directive is
    record Pragma(List<String> texts, SourcePosition position) implements Statement, ModuleItem {
        public Pragma {
            texts = List.copyOf(texts);
        }
    }

    /// `.branchtargets`: the labels of a `brx.idx` (11.3.1).
    ///
    /// @param name the label of the directive
    /// @param targets the labels, in index order, compact ranges kept as written
    /// @param position where the directive is
    record BranchTargets(String name, List<Operand.Symbol> targets, SourcePosition position)
            implements Statement {
        public BranchTargets {
            targets = List.copyOf(targets);
        }
    }

    /// `.calltargets`: the functions of an indirect call (11.3.2).
    ///
    /// @param name the label of the directive
    /// @param targets the functions
    /// @param position where the directive is
    record CallTargets(String name, List<Operand.Symbol> targets, SourcePosition position)
            implements Statement {
        public CallTargets {
            targets = List.copyOf(targets);
        }
    }

    /// `.callprototype`: the signature of an indirect call (11.3.3).
    ///
    /// @param name the label of the directive
    /// @param signature results, parameters and directives
    /// @param position where the directive is
    record CallPrototype(String name, Signature signature, SourcePosition position)
            implements Statement {}
}
