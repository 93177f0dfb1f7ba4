package dev.heddle.cli;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A shell that knows as much as the documents need: it runs `heddle` in this process, in a folder
/// that seems to be the root of a checkout.
///
/// `echo`, `head -N`, pipes, `> FILE`, words in quotes and `*` in names of files mean what they
/// mean in bash; both streams come in one, as on a terminal.
///
/// @param root    the checkout
/// @param scratch where files go that a command writes
record Shell(Path root, Path scratch) {
    private static final Pattern WORD =
            Pattern.compile("((?:[^\\s'\"\\\\]|\\\\.|'[^']*'|\"[^\"]*\")+)\\s*");
    private static final Pattern QUOTED = Pattern.compile("'([^']*)'|\"([^\"]*)\"");
    private static final Pattern OF_THE_CHECKOUT =
            Pattern.compile("(^|=|:)(?=(?:examples|corpus|conformance|docs)(?:/|$))");
    private static final Pattern OWN_FILE =
            Pattern.compile("(^|=|:)(?=[\\w-]+[.](?:npy|ptx|json|safetensors|svg|tsv|cu)(?::|$))");

    /// What a command printed, both streams in one as on a terminal.
    record Answer(int code, String text) {}

    /// Runs a command line.
    Answer run(String line) throws IOException {
        List<String> words = words(line);
        int into = words.indexOf(">");
        Answer answer = new Answer(0, "");
        for (List<String> stage : stages(words.subList(0, into >= 0 ? into : words.size()))) {
            answer = stage(stage, answer);
        }
        if (into < 0) {
            return answer;
        }
        Files.writeString(Path.of(words.get(into + 1)), answer.text());
        return new Answer(answer.code(), "");
    }

    private static List<List<String>> stages(List<String> words) {
        List<List<String>> stages = new ArrayList<>();
        List<String> rest = words;
        for (int pipe = rest.indexOf("|"); pipe >= 0; pipe = rest.indexOf("|")) {
            stages.add(rest.subList(0, pipe));
            rest = rest.subList(pipe + 1, rest.size());
        }
        stages.add(rest);
        return stages;
    }

    private Answer stage(List<String> words, Answer before) {
        List<String> rest = words.subList(1, words.size());
        return switch (words.getFirst()) {
            case "echo" -> new Answer(0, String.join(" ", rest) + "\n");
            case "head" -> {
                int most = Integer.parseInt(rest.getFirst().substring(1));
                yield new Answer(
                        before.code(),
                        String.join(
                                "", before.text().lines().limit(most).map(l -> l + "\n").toList()));
            }
            case "heddle", "./heddle" -> heddle(rest, before.text());
            default -> throw new IllegalArgumentException("not a command of this shell: " + words);
        };
    }

    private Answer heddle(List<String> words, String input) {
        InputStream own = System.in;
        StringWriter text = new StringWriter();
        try (PrintWriter out = new PrintWriter(text)) {
            System.setIn(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
            int code = Main.run(out, out, words.toArray(String[]::new));
            String said = text.toString().replace(scratch + "/", "").replace(root + "/", "");
            return new Answer(code, said);
        } finally {
            System.setIn(own);
        }
    }

    private List<String> words(String line) throws IOException {
        List<String> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(line.strip());
        while (matcher.find()) {
            String quoted = matcher.group(1);
            String word = QUOTED.matcher(quoted).replaceAll("$1$2");
            boolean literal = !word.equals(quoted);
            if (literal && word.contains(" ")) {
                words.add(word);
            } else if (!literal && word.contains("*")) {
                words.addAll(matching(word));
            } else {
                words.add(placed(word));
            }
        }
        return words;
    }

    /// The word with the names of files made absolute: a process cannot change its folder.
    private String placed(String word) {
        String own = OWN_FILE.matcher(word).replaceFirst("$1" + scratch + "/");
        return OF_THE_CHECKOUT.matcher(own).replaceFirst("$1" + root + "/");
    }

    private List<String> matching(String glob) throws IOException {
        List<Path> found = List.of(root);
        for (String part : glob.split("/", -1)) {
            List<Path> next = new ArrayList<>();
            for (Path folder : found) {
                try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder, part)) {
                    stream.forEach(next::add);
                }
            }
            found =
                    next.stream()
                            .filter(path -> glob.endsWith(part) || Files.isDirectory(path))
                            .toList();
        }
        return found.stream().map(Path::toString).sorted().toList();
    }
}
