package dev.heddle.ptx.check;

import dev.heddle.isa.rule.Verdict;
import dev.heddle.ptx.Diagnostic;
import dev.heddle.ptx.Edit;
import dev.heddle.ptx.Module;
import dev.heddle.ptx.Parsed;
import dev.heddle.ptx.Ptx;
import dev.heddle.ptx.SourceLines;
import dev.heddle.ptx.SourceText;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Checks PTX: everything wrong with a file, not the first thing.
public final class Check {

    /// Files above this size are refused: no module comes near it.
    private static final long LARGEST = 256L << 20;

    private Check() {}

    /// Checks a file; bytes beyond ASCII are read as Latin-1 and reported where they are outside
    /// comments.
    ///
    /// @throws IOException where the file cannot be read, or is larger than 256 MiB
    public static CheckReport file(Path file) throws IOException {
        return text(read(file), file.toString());
    }

    /// The text of a file.
    ///
    /// @throws IOException where the file cannot be read, or is larger than 256 MiB
    public static String read(Path file) throws IOException {
        long size = Files.size(file);
        if (size > LARGEST) {
            throw new IOException(file + ": " + size + " bytes; at most " + LARGEST);
        }
        return Files.readString(file, StandardCharsets.ISO_8859_1);
    }

    /// Checks a text.
    ///
    /// @param text the PTX text
    /// @param name the file name that messages use
    public static CheckReport text(String text, String name) {
        return parsed(Ptx.parse(text, name));
    }

    /// Checks what was parsed before.
    public static CheckReport parsed(Parsed parsed) {
        Reporter reporter = new Reporter();
        for (Diagnostic diagnostic : parsed.diagnostics()) {
            reporter.add(diagnostic);
        }
        new ModuleChecker(parsed.module(), reporter, parsed.isClean()).check();
        return report(parsed.source(), parsed.module(), reporter);
    }

    static CheckReport report(SourceText source, Module module, Reporter reporter) {
        List<Diagnostic> findings = new ArrayList<>();
        for (Diagnostic finding : reporter.list()) {
            // A mnemonic with blanks inside is read all the same, but not mended.
            Edit fix = finding.fix();
            findings.add(fix == null || source.takes(fix) ? finding : finding.with(null));
        }
        findings.sort(
                Comparator.comparingInt((Diagnostic finding) -> finding.position().line())
                        .thenComparingInt(finding -> finding.position().column()));
        return new CheckReport(source, verdict(findings), findings, SourceLines.of(module));
    }

    private static CheckReport.Verdict verdict(List<Diagnostic> findings) {
        CheckReport.Verdict verdict = CheckReport.Verdict.ACCEPT;
        for (Diagnostic finding : findings) {
            if (finding.verdict() == Verdict.INVALID) {
                return CheckReport.Verdict.REJECT;
            }
            if (finding.verdict() == Verdict.UNDEFINED_BEHAVIOR) {
                verdict = CheckReport.Verdict.UNDEFINED;
            }
        }
        return verdict;
    }
}
