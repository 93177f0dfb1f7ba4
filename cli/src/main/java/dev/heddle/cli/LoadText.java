package dev.heddle.cli;

import dev.heddle.explorer.LoadPath;
import dev.heddle.isa.Form;
import dev.heddle.isa.OperandName;
import dev.heddle.isa.Role;
import dev.heddle.isa.SwizzleMode;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ParseResult;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/// How `heddle layout --load` says which address each lane gives to load a fragment from shared
/// memory, and what the banks make of it.
///
/// @param path  rows in shared memory
/// @param words whether by `ld.shared`, not `ldmatrix`
record LoadText(LoadPath path, boolean words) {
    static LoadText of(Form form, OperandName operand, ParseResult given) {
        String how = String.valueOf(Command.value(given, "--load"));
        if (!how.equals("ldmatrix") && !how.equals("ld.shared")) {
            throw new UsageError("--load " + how + ": expected ldmatrix or ld.shared");
        }
        if (operand != OperandName.A && operand != OperandName.B) {
            throw new UsageError("--load: only A and B are loaded so, not " + operand);
        }
        Role role = operand.matrix();
        SwizzleMode mode = mode(Command.value(given, "--swizzle"));
        String pitch = Command.value(given, "--pitch");
        LoadPath usual = LoadPath.usual(form, role, mode);
        LoadPath path =
                pitch == null
                        ? usual
                        : new LoadPath(form, role, Numbers.parse("--pitch", pitch, 1, 1)[0], mode);
        boolean words = how.equals("ld.shared");
        if (!words && path.matrices().isEmpty()) {
            throw new UsageError(
                    "--load ldmatrix: its matrices are not the registers of this fragment",
                    List.of("--load ld.shared"));
        }
        return new LoadText(path, words);
    }

    private static SwizzleMode mode(@Nullable String text) {
        if (text == null || text.equals("0")) {
            return SwizzleMode.NONE;
        }
        return Arrays.stream(SwizzleMode.values())
                .filter(mode -> mode != SwizzleMode.NONE)
                .filter(mode -> String.valueOf(mode.rowBytes()).equals(text))
                .findFirst()
                .orElseThrow(
                        () -> new UsageError("--swizzle " + text + ": expected 0, 32, 64, 128"));
    }

    void print(PrintWriter out) {
        List<LoadPath.Load> loads = words ? path.words() : List.of(path.matrices().orElseThrow());
        out.println(path.summary(loads));
        for (LoadPath.Load load : loads) {
            out.println();
            out.println(load.text());
            for (int lane = 0; lane < load.addresses().size(); lane += 8) {
                out.printf(
                        "  lanes %2d..%-2d  %s%n",
                        lane,
                        lane + 7,
                        load.addresses().subList(lane, lane + 8).stream()
                                .map("0x%03x"::formatted)
                                .collect(Collectors.joining(" ")));
            }
        }
        out.println();
        for (LoadPath.Choice choice : path.choices(words)) {
            out.printf(
                    "  %-34s %3d passes, least %d%n",
                    choice.name(), choice.passes(), choice.least());
        }
        out.println();
        out.print(path.code(words));
    }
}
