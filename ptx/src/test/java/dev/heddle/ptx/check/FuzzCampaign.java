package dev.heddle.ptx.check;

import dev.heddle.ptx.Corpus;
import dev.heddle.ptx.ModulePrinter;
import dev.heddle.ptx.Parsed;
import dev.heddle.ptx.Ptx;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/// Seeded hostile input, checked until the time is over: none may crash, hang, or flood.
///
/// What is read without a message is printed and read again: it must stay the same text.
/// `main SECONDS SEED` runs it at length and prints what was tried.
final class FuzzCampaign {

    /// Where an input comes from.
    enum Kind {
        /// A compiled kernel with up to twenty pieces cut, copied elsewhere or overwritten.
        MUTILATED,
        /// Pieces of two kernels, cut at random places.
        SPLICED,
        /// Words of kernels in random order.
        SHUFFLED,
        /// Bytes.
        GARBAGE,
        /// One thing very deep or very long.
        EXTREME
    }

    /// What was tried.
    ///
    /// @param inputs how many of each kind
    /// @param accepted how many were not rejected
    /// @param roundTrips how many were read without a message, printed, and read again
    /// @param characters how many characters in all
    /// @param slowest the longest time for one input, in milliseconds
    /// @param slowestSeed its seed
    record Tried(
            Map<Kind, Integer> inputs,
            int accepted,
            int roundTrips,
            long characters,
            long slowest,
            long slowestSeed) {}

    private static final long HANG_SECONDS = 30;

    private final List<String> kernels;
    private volatile long seed;
    private volatile long started;

    FuzzCampaign() throws IOException {
        this.kernels = Corpus.files().stream().map(FuzzCampaign::read).toList();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Tries seeds from `first` on until the seconds are over.
    ///
    /// @throws AssertionError with the seed, where an input crashes the checker or does not round
    ///     trip
    Tried run(long seconds, long first) {
        long until = System.nanoTime() + seconds * 1_000_000_000L;
        Map<Kind, Integer> inputs = new EnumMap<>(Kind.class);
        int accepted = 0;
        int roundTrips = 0;
        long characters = 0;
        long slowest = 0;
        long slowestSeed = first;
        for (long own = first; System.nanoTime() < until; own++) {
            SplittableRandom random = new SplittableRandom(own);
            Kind kind = kind(random);
            String text = input(kind, random);
            started = System.nanoTime();
            seed = own;
            try {
                Parsed parsed = Ptx.parse(text, "hostile.ptx");
                CheckReport report = Check.parsed(parsed);
                report.text();
                accepted += report.verdict() == CheckReport.Verdict.REJECT ? 0 : 1;
                roundTrips += parsed.diagnostics().isEmpty() ? roundTrip(parsed) : 0;
            } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
                throw new AssertionError("seed " + own + ", " + kind, e);
            }
            long took = (System.nanoTime() - started) / 1_000_000;
            if (took > slowest) {
                slowest = took;
                slowestSeed = own;
            }
            inputs.merge(kind, 1, Integer::sum);
            characters += text.length();
        }
        return new Tried(inputs, accepted, roundTrips, characters, slowest, slowestSeed);
    }

    private static int roundTrip(Parsed parsed) {
        String printed = ModulePrinter.print(parsed.module());
        Parsed again = Ptx.parse(printed, "printed.ptx");
        if (!again.diagnostics().isEmpty()) {
            throw new IllegalStateException(
                    "what is printed cannot be read: " + again.diagnostics().getFirst());
        }
        if (!ModulePrinter.print(again.module()).equals(printed)) {
            throw new IllegalStateException("what is printed reads differently");
        }
        return 1;
    }

    private static Kind kind(SplittableRandom random) {
        int drawn = random.nextInt(100);
        if (drawn < 60) {
            return Kind.MUTILATED;
        }
        if (drawn < 80) {
            return Kind.SPLICED;
        }
        if (drawn < 90) {
            return Kind.SHUFFLED;
        }
        return drawn < 98 ? Kind.GARBAGE : Kind.EXTREME;
    }

    private String input(Kind kind, SplittableRandom random) {
        return switch (kind) {
            case MUTILATED -> mutilated(kernel(random), random);
            case SPLICED -> spliced(kernel(random), kernel(random), random);
            case SHUFFLED -> shuffled(kernel(random), random);
            case GARBAGE -> garbage(random);
            case EXTREME -> extreme(random);
        };
    }

    private String kernel(SplittableRandom random) {
        return kernels.get(random.nextInt(kernels.size()));
    }

    private static String mutilated(String text, SplittableRandom random) {
        StringBuilder out = new StringBuilder(text);
        int cuts = random.nextBoolean() ? 1 : 2 + random.nextInt(19);
        for (int i = 0; i < cuts && out.length() > 2; i++) {
            int from = random.nextInt(out.length() - 1);
            int to = Math.min(out.length(), from + 1 + random.nextInt(40));
            String piece = out.substring(from, to);
            switch (random.nextInt(4)) {
                case 0 -> out.delete(from, to);
                case 1 -> out.insert(random.nextInt(out.length()), piece);
                case 2 -> out.setCharAt(from, (char) random.nextInt(256));
                default -> out.insert(from, "{}()[];,:.%@|_!-+\"/*".charAt(random.nextInt(20)));
            }
        }
        return out.toString();
    }

    private static String spliced(String one, String other, SplittableRandom random) {
        int from = random.nextInt(other.length());
        return one.substring(0, random.nextInt(one.length()))
                + other.substring(from, from + random.nextInt(other.length() - from + 1))
                + one.substring(random.nextInt(one.length()));
    }

    private static String shuffled(String text, SplittableRandom random) {
        String[] words = text.split("(?<=[\\s,;])|(?=[.,;{}()\\[\\]])");
        StringBuilder out = new StringBuilder(".version 9.0\n.target sm_90a\n.address_size 64\n");
        out.append(random.nextBoolean() ? ".entry k() {" : "");
        int count = random.nextInt(2_000);
        for (int i = 0; i < count; i++) {
            out.append(words[random.nextInt(words.length)]);
        }
        return out.toString();
    }

    private static String garbage(SplittableRandom random) {
        byte[] bytes = new byte[random.nextInt(20_000)];
        random.nextBytes(bytes);
        if (random.nextBoolean()) {
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) (32 + (bytes[i] & 0xff) % 95);
            }
        }
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private static String extreme(SplittableRandom random) {
        String[] repeated = {
            "{",
            "(",
            "[",
            "-",
            "!",
            "1?",
            "1?1:",
            "((",
            "/*",
            "//",
            "\"",
            "@",
            "%r,",
            "9",
            "0x",
            ".s32",
            ";",
            ".reg .b32 r;",
            "L:",
            "\n",
            "call (",
            ".b8 x[",
            "1+",
            "{1,",
            "::",
            "|%p",
            "ret;",
            "}"
        };
        String[] before = {
            "",
            ".global .b32 x = ",
            ".global .b32 x[] = ",
            ".entry k() { ",
            ".entry k() { add.s32 ",
            ".entry k() { mov.b64 {",
            ".entry k() { ld.b32 %r, [",
            ".func f(",
            ".entry k() { call f, ("
        };
        return ".version 9.0\n.target sm_90a\n.address_size 64\n"
                + before[random.nextInt(before.length)]
                + repeated[random.nextInt(repeated.length)].repeat(1 << random.nextInt(18))
                + (random.nextBoolean() ? "; }" : "");
    }

    private void watch() {
        while (true) {
            long at = started;
            if (at != 0 && System.nanoTime() - at > HANG_SECONDS * 1_000_000_000L) {
                System.out.println("hang: seed " + seed);
                Runtime.getRuntime().halt(3);
            }
            try {
                Thread.sleep(1_000);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private static long peakHeap() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .map(MemoryPoolMXBean::getPeakUsage)
                .mapToLong(usage -> usage.getUsed())
                .sum();
    }

    /// The most memory that the process held, by the kernel's count.
    private static String peakProcess() throws IOException {
        Path status = Path.of("/proc/self/status");
        if (!Files.exists(status)) {
            return "unknown";
        }
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("VmHWM"))
                .findFirst()
                .orElse("unknown");
    }

    public static void main(String[] arguments) throws IOException {
        FuzzCampaign campaign = new FuzzCampaign();
        Thread watch = new Thread(campaign::watch);
        watch.setDaemon(true);
        watch.start();
        Tried tried = campaign.run(Long.parseLong(arguments[0]), Long.parseLong(arguments[1]));
        System.out.printf(
                "%s: %s%npeak heap %d MiB, %s%n",
                Arrays.toString(arguments), tried, peakHeap() >> 20, peakProcess());
    }
}
