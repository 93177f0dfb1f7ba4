package dev.heddle.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

/// What a call of the command printed, and its exit code.
///
/// @param code the exit code
/// @param out  standard output
/// @param err  standard error
record Ran(int code, String out, String err) {
    static Ran heddle(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.run(new PrintWriter(out), new PrintWriter(err), args);
        return new Ran(code, out.toString(), err.toString());
    }
}
