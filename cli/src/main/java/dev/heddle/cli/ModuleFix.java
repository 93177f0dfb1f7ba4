package dev.heddle.cli;

import dev.heddle.files.FileReplacement;
import dev.heddle.ptx.Diagnostic;
import dev.heddle.ptx.Edit;
import dev.heddle.ptx.check.Mended;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;

/// `heddle check --fix`: what can only be meant otherwise is put right, in the file, or shown as a
/// diff.
///
/// @param diff whether it is only shown
record ModuleFix(boolean diff) {

    /// What was done about a finding, in words.
    static String done(Diagnostic finding) {
        Edit edit = Objects.requireNonNull(finding.fix());
        if (edit.old().isEmpty()) {
            return "added " + edit.text();
        }
        return edit.text().isEmpty()
                ? "left out " + edit.old()
                : "wrote " + edit.text() + " for " + edit.old();
    }

    /// Delivers a text that was mended: to its file, to the reader of standard output where it came
    /// from standard input, or as a diff.
    ///
    /// @param name what the text was given as
    /// @param before the text as it was
    void deliver(String name, String before, Mended mended, PrintWriter out) throws IOException {
        if (diff) {
            out.print(shown(LineDiff.of(name, before, mended.text())));
        } else if (name.equals(CheckCommand.STANDARD_INPUT)) {
            out.print(shown(mended.text()));
        } else if (!mended.applied().isEmpty()) {
            byte[] bytes = mended.text().getBytes(StandardCharsets.ISO_8859_1);
            FileReplacement.write(Path.of(name), stream -> stream.write(bytes));
        }
    }

    /// Modules are read a byte a character; what is printed is UTF-8, so that the bytes are the
    /// same.
    private static String shown(String latin) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(latin.getBytes(StandardCharsets.ISO_8859_1)))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new UsageError(
                    "--fix: the text is not UTF-8: it can be mended in its file alone");
        }
    }
}
