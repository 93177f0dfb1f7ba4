package dev.heddle.vm;

import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.ir.Extent;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Changes kernels and launches at random, mostly so that they still parse.
final class MutantKernels {
    private static final Pattern TOKEN =
            Pattern.compile("%[\\w$.]+|[$\\w][\\w$.]*|\\.[\\w:.]+|-?\\d\\w*|[^\\s\\w]");
    private static final Pattern REGISTER = Pattern.compile("%[a-z]+\\d+\\b");
    private static final Pattern NUMBER = Pattern.compile("(?<![\\w%$.])-?\\d+\\b");
    private static final Pattern LABEL = Pattern.compile("\\$L_\\w+");
    private static final String[] NUMBERS = {
        "0", "1", "-1", "2", "3", "4", "31", "32", "33", "255", "65536", "2147483647", "-2147483648"
    };

    private final SplittableRandom random;

    MutantKernels(long seed) {
        random = new SplittableRandom(seed);
    }

    /// The text with one to three changes inside function bodies.
    String mutate(String text) {
        List<String> lines = new ArrayList<>(text.lines().toList());
        int changes = 1 + random.nextInt(3);
        for (int i = 0; i < changes; i++) {
            change(lines);
        }
        return String.join("\n", lines) + "\n";
    }

    private void change(List<String> lines) {
        List<Integer> code = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.endsWith(";") && !line.startsWith(".")) {
                code.add(i);
            }
        }
        if (code.isEmpty()) {
            return;
        }
        int at = code.get(random.nextInt(code.size()));
        int other = code.get(random.nextInt(code.size()));
        String line = lines.get(at);
        switch (random.nextInt(12)) {
            case 0 -> lines.set(at, token(line, Change.DELETE));
            case 1 -> lines.set(at, token(line, Change.DOUBLE));
            case 2 -> lines.set(at, token(line, Change.SWAP));
            case 3, 4 -> lines.set(at, replace(line, NUMBER, number()));
            case 5, 6 -> lines.set(at, replace(line, REGISTER, pick(REGISTER, lines.get(other))));
            case 7, 8 -> {
                List<Integer> branches =
                        code.stream().filter(i -> has(LABEL, lines.get(i))).toList();
                if (!branches.isEmpty()) {
                    int branch = branches.get(random.nextInt(branches.size()));
                    int from = branches.get(random.nextInt(branches.size()));
                    lines.set(
                            branch,
                            replace(lines.get(branch), LABEL, pick(LABEL, lines.get(from))));
                }
            }
            case 9 -> lines.set(at, "");
            case 10 -> lines.set(at, line + "\n" + line);
            default -> {
                lines.set(at, lines.get(other));
                lines.set(other, line);
            }
        }
    }

    private enum Change {
        DELETE,
        DOUBLE,
        SWAP
    }

    private String token(String line, Change change) {
        List<int[]> tokens = new ArrayList<>();
        Matcher matcher = TOKEN.matcher(line);
        while (matcher.find()) {
            tokens.add(new int[] {matcher.start(), matcher.end()});
        }
        if (tokens.size() < 2) {
            return line;
        }
        int index = random.nextInt(tokens.size() - 1);
        int start = tokens.get(index)[0];
        int end = tokens.get(index)[1];
        String head = line.substring(0, start);
        String token = line.substring(start, end);
        return switch (change) {
            case DELETE -> head + line.substring(end);
            case DOUBLE -> head + token + " " + token + line.substring(end);
            case SWAP -> {
                int[] next = tokens.get(index + 1);
                yield head
                        + line.substring(next[0], next[1])
                        + line.substring(end, next[0])
                        + token
                        + line.substring(next[1]);
            }
        };
    }

    private String number() {
        return random.nextInt(3) == 0
                ? Integer.toString(random.nextInt())
                : NUMBERS[random.nextInt(NUMBERS.length)];
    }

    private static boolean has(Pattern pattern, String line) {
        return pattern.matcher(line).find();
    }

    private String pick(Pattern pattern, String line) {
        List<String> found = pattern.matcher(line).results().map(match -> match.group()).toList();
        return found.isEmpty() ? "%r1" : found.get(random.nextInt(found.size()));
    }

    private String replace(String line, Pattern pattern, String by) {
        List<int[]> found =
                pattern.matcher(line)
                        .results()
                        .map(match -> new int[] {match.start(), match.end()})
                        .toList();
        if (found.isEmpty()) {
            return line;
        }
        int[] place = found.get(random.nextInt(found.size()));
        return line.substring(0, place[0]) + by + line.substring(place[1]);
    }

    /// The launch, in one of three cases with another grid, block, scalar or buffer.
    Launch mutate(Launch launch) {
        Launch mutant =
                launch.withThreads(1 + random.nextInt(2))
                        .withChecks(random.nextInt(3) == 0 ? Set.of() : RuleGroup.CHECKS);
        if (random.nextInt(3) != 0) {
            return mutant;
        }
        List<Argument> arguments = new ArrayList<>(mutant.arguments());
        Extent grid = mutant.grid();
        Extent block = mutant.block();
        int shared = mutant.dynamicShared();
        switch (random.nextInt(5)) {
            case 0 -> grid = new Extent(extent(), 1 + random.nextInt(3), 1);
            case 1 -> block = new Extent(1 + random.nextInt(1024), 1, 1);
            case 2 -> shared = random.nextInt(300_000);
            default -> {
                if (!arguments.isEmpty()) {
                    int index = random.nextInt(arguments.size());
                    arguments.set(index, mutate(arguments.get(index)));
                }
            }
        }
        Launch.Shape shape = mutant.shape();
        return mutant.withShape(
                        new Launch.Shape(grid, block, shape.cluster(), shared, shape.cooperative()))
                .withArguments(arguments);
    }

    private int extent() {
        return random.nextInt(8) == 0 ? Integer.MAX_VALUE : 1 + random.nextInt(200);
    }

    private Argument mutate(Argument argument) {
        return switch (argument) {
            case Argument.Value(byte[] bytes) -> {
                byte[] changed = bytes.clone();
                if (changed.length > 0) {
                    changed[random.nextInt(changed.length)] = (byte) random.nextInt();
                }
                yield new Argument.Value(changed);
            }
            case Argument.Buffer buffer -> Argument.zeros(buffer.name(), random.nextInt(2000));
            default -> argument;
        };
    }
}
