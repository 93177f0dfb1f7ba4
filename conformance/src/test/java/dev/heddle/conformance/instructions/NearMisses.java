package dev.heddle.conformance.instructions;

import dev.heddle.conformance.ptxas.Ptxas;
import dev.heddle.ptx.check.InvalidModule;
import dev.heddle.ptx.instruction.InstructionForm;
import dev.heddle.ptx.instruction.InstructionTable;
import dev.heddle.vm.Kernel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/// Instructions with one thing changed that the assembler refuses, each in a kernel of its own:
/// none may reach the machine, whether the kernel comes to it or not.
///
/// `main COUNT SEED [FILE]` draws so many for each of five targets, prints those that were taken,
/// and stores some of the others, a line each, if there is a file.
public final class NearMisses {
    /// What is asked for between them: the oldest forms, and those of every later family.
    private static final String[][] TARGETS = {
        {"sm_75", "6.5"},
        {"sm_80", "7.4"},
        {"sm_90a", "9.0"},
        {"sm_100a", "9.0"},
        {"sm_120a", "8.8"}
    };

    private static final int A_MODULE = 500;
    private static final int STORED_OF_EACH = 120;

    private NearMisses() {}

    /// An instruction that the assembler refuses.
    ///
    /// @param architecture as `.target` names it
    /// @param version as `.version` names it
    /// @param text the instruction
    /// @param message the assembler's
    public record NearMiss(String architecture, String version, String text, String message) {

        /// Reads what [#line] writes.
        static NearMiss parse(String line) {
            String[] parts = line.split("\t", -1);
            return new NearMiss(parts[0], parts[1], parts[2], parts[3]);
        }

        /// One line of text.
        String line() {
            return String.join("\t", architecture, version, text, message);
        }

        /// A kernel with this instruction alone.
        ///
        /// @param reached whether the kernel comes to it
        public String kernel(boolean reached) {
            return module(
                    architecture, version, reached ? List.of(text) : List.of("bra L0;", text));
        }

        /// Whether the machine takes the kernel.
        ///
        /// @param reached whether the kernel comes to the instruction
        public boolean isTaken(boolean reached) {
            try {
                Kernel.of(kernel(reached), "near-miss.ptx", "f");
                return true;
            } catch (InvalidModule _) {
                return false;
            }
        }
    }

    private static String head(String architecture, String version) {
        return InstructionGenerator.head(architecture, version)
                .replace(
                        ".visible .func (.param .b32 q) f(.param .b32 p)",
                        ".visible .entry f(.param .b32 p)");
    }

    private static String module(String architecture, String version, List<String> instructions) {
        return head(architecture, version) + String.join("\n", instructions) + "\nL0: ret;\n}\n";
    }

    /// So many different near misses for one target.
    static List<NearMiss> draw(int count, long seed, String architecture, String version)
            throws IOException, InterruptedException {
        SplittableRandom random = new SplittableRandom(seed);
        InstructionGenerator generator = new InstructionGenerator(random);
        List<InstructionForm> forms =
                InstructionTable.all().stream().filter(InstructionGenerator::canDeal).toList();
        int first = (int) head(architecture, version).lines().count() + 1;
        Set<NearMiss> drawn = new LinkedHashSet<>();
        while (drawn.size() < count) {
            List<String> texts = new ArrayList<>();
            while (texts.size() < A_MODULE) {
                InstructionGenerator.Draft draft =
                        generator.deal(forms.get(random.nextInt(forms.size())));
                generator.change(draft);
                texts.add(draft.text());
            }
            List<String> messages =
                    Ptxas.lines(
                            module(architecture, version, texts), architecture, first, A_MODULE);
            for (int i = 0; i < A_MODULE && drawn.size() < count; i++) {
                if (!messages.get(i).isEmpty()) {
                    drawn.add(new NearMiss(architecture, version, texts.get(i), messages.get(i)));
                }
            }
        }
        return List.copyOf(drawn);
    }

    /// Draws, tries and prints.
    public static void main(String[] arguments) throws IOException, InterruptedException {
        int each = Integer.parseInt(arguments[0]) / TARGETS.length;
        long seed = Long.parseLong(arguments[1]);
        int all = 0;
        int taken = 0;
        List<String> stored = new ArrayList<>();
        for (String[] target : TARGETS) {
            List<NearMiss> drawn = draw(each, seed, target[0], target[1]);
            for (NearMiss miss : drawn) {
                all++;
                if (miss.isTaken(true) || miss.isTaken(false)) {
                    taken++;
                    System.out.println("TAKEN " + miss.line());
                }
            }
            drawn.stream().limit(STORED_OF_EACH).map(NearMiss::line).forEach(stored::add);
        }
        System.out.printf(
                "%d near misses that ptxas refuses, reached and not: %d taken%n", all, taken);
        if (arguments.length > 2) {
            Files.write(Path.of(arguments[2]), stored);
        }
    }
}
