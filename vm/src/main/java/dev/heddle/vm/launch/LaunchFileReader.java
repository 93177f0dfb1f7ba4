package dev.heddle.vm.launch;

import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Launch;
import dev.heddle.vm.MachineKind;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Reads the fields of a launch file.
///
/// @param root the outermost object
record LaunchFileReader(JsonFields root) {
    /// Fields that one of several launches may have for itself.
    static final Set<String> OF_A_LAUNCH =
            Set.of("entry grid block shared cluster cooperative args variables".split(" ", -1));

    /// Fields of the whole file.
    static final Set<String> OF_THE_FILE =
            Set.of(
                    """
                    ptx buffers launches expect stdout note save check executor timeout
                    maxInstructions threads
                    """
                            .split("\\s"));

    /// What a launch takes from the file where it does not say it itself. Variables are set once,
    /// before the first launch.
    private static final Set<String> SHARED =
            OF_A_LAUNCH.stream()
                    .filter(field -> !field.equals("variables"))
                    .collect(Collectors.toUnmodifiableSet());

    LaunchFile read() {
        root.allow(
                Stream.concat(OF_A_LAUNCH.stream(), OF_THE_FILE.stream())
                        .collect(Collectors.toSet()));
        Map<String, Contents> buffers = new LinkedHashMap<>();
        ArgumentReader reader = new ArgumentReader(buffers);
        for (JsonFields buffer : root.objects("buffers")) {
            if (!buffer.has("buffer")) {
                throw buffer.bad("buffer", "a name");
            }
            reader.buffer(buffer);
        }
        List<LaunchFile.Start> starts = starts(reader);
        requireBuffers(starts, buffers.keySet());
        return new LaunchFile(
                root.text("ptx", ""),
                buffers,
                starts,
                expectations(buffers.keySet()),
                root.has("stdout") ? root.text("stdout") : null,
                saves(buffers.keySet()),
                conditions(),
                machine());
    }

    private List<LaunchFile.Start> starts(ArgumentReader reader) {
        Map<String, Contents> variables = variables(root, reader);
        if (!root.has("launches")) {
            return List.of(start(root, reader, variables));
        }
        List<JsonFields> launches = root.objects("launches");
        if (launches.isEmpty()) {
            throw root.bad("launches", "at least one launch");
        }
        List<LaunchFile.Start> starts = new ArrayList<>();
        for (JsonFields launch : launches) {
            launch.allow(OF_A_LAUNCH);
            Map<String, Contents> own =
                    new LinkedHashMap<>(starts.isEmpty() ? variables : Map.of());
            own.putAll(variables(launch, reader));
            starts.add(start(launch.orElse(root, SHARED), reader, own));
        }
        return starts;
    }

    private static LaunchFile.Start start(
            JsonFields fields, ArgumentReader reader, Map<String, Contents> variables) {
        List<Argument> arguments = new ArrayList<>();
        for (JsonFields argument : fields.objects("args")) {
            arguments.add(reader.argument(argument));
        }
        return new LaunchFile.Start(
                fields.place(),
                fields.text("entry", ""),
                new Launch.Shape(
                        fields.extent("grid"),
                        fields.extent("block"),
                        fields.has("cluster") ? fields.extent("cluster") : null,
                        fields.has("shared") ? fields.whole("shared", 0, 1 << 20) : 0,
                        fields.has("cooperative") && fields.truth("cooperative")),
                arguments,
                variables);
    }

    private static Map<String, Contents> variables(JsonFields fields, ArgumentReader reader) {
        Map<String, Contents> variables = new LinkedHashMap<>();
        if (fields.has("variables")) {
            JsonFields named = fields.object("variables");
            for (String name : named.fields().keySet()) {
                variables.put(name, reader.variable(named.object(name)));
            }
        }
        return variables;
    }

    /// Refuses an address in a buffer that is nowhere described.
    private void requireBuffers(List<LaunchFile.Start> starts, Set<String> buffers) {
        for (LaunchFile.Start start : starts) {
            Stream<Argument> variables =
                    start.variables().values().stream()
                            .filter(Contents.Literal.class::isInstance)
                            .map(one -> ((Contents.Literal) one).value());
            Optional<Argument.Address> unknown =
                    Stream.concat(start.arguments().stream(), variables)
                            .flatMap(argument -> argument.addresses().stream())
                            .filter(address -> !buffers.contains(address.buffer()))
                            .findFirst();
            if (unknown.isPresent()) {
                String known =
                        buffers.isEmpty() ? "no buffer" : String.join(" ", new TreeSet<>(buffers));
                throw new LaunchFileException(
                        start.place(),
                        "buffer %s is nowhere described: it needs a file, zeros, poison or random; the file describes %s"
                                .formatted(unknown.get().buffer(), known));
            }
        }
    }

    private List<Expectation> expectations(Set<String> buffers) {
        List<Expectation> expectations = new ArrayList<>();
        for (JsonFields fields : root.objects("expect")) {
            fields.allow(Set.of("buffer", "file", "format", "within"));
            String buffer = fields.text("buffer");
            if (!buffers.contains(buffer)) {
                throw fields.bad("buffer", "one of " + String.join(" ", new TreeSet<>(buffers)));
            }
            expectations.add(
                    new Expectation(
                            fields.placeOf("file"),
                            buffer,
                            fields.text("file"),
                            fields.has("format")
                                    ? Optional.of(ArgumentReader.format(fields))
                                    : Optional.empty(),
                            tolerance(fields)));
        }
        return expectations;
    }

    private static Tolerance tolerance(JsonFields fields) {
        JsonValue value = fields.fields().get("within");
        if (value == null || value.value().equals("exact")) {
            return new Tolerance.Exact();
        }
        if (!(value.value() instanceof Map)) {
            throw fields.bad(
                    "within", "\"exact\", or one of ulps, relative and absolute with a number");
        }
        JsonFields within = fields.object("within");
        within.allow(Set.of("ulps", "relative", "absolute"));
        boolean near = within.has("relative") || within.has("absolute");
        if (near == within.has("ulps")) {
            throw fields.bad(
                    "within", "ulps alone, or relative, absolute or both of them, with a number");
        }
        return near
                ? new Tolerance.Near(
                        within.has("relative") ? within.magnitude("relative") : 0,
                        within.has("absolute") ? within.magnitude("absolute") : 0)
                : new Tolerance.Ulps(within.magnitude("ulps"));
    }

    private Map<String, LaunchFile.Save> saves(Set<String> buffers) {
        Map<String, LaunchFile.Save> saves = new LinkedHashMap<>();
        if (root.has("save")) {
            JsonFields save = root.object("save");
            save.allow(buffers);
            for (String name : save.fields().keySet()) {
                saves.put(name, new LaunchFile.Save(save.placeOf(name), save.text(name), false));
            }
        }
        return saves;
    }

    private Launch.Conditions conditions() {
        Launch.Conditions usual = Launch.Conditions.usual();
        Launch.Bounds limits = usual.limits();
        if (root.has("maxInstructions")) {
            limits = limits.withSteps(root.whole("maxInstructions", 1, limits.steps()));
        }
        if (root.has("timeout")) {
            double seconds = root.isNumber("timeout") ? root.magnitude("timeout") : 0;
            if (seconds <= 0 || seconds > Launch.Bounds.MOST_SECONDS) {
                throw root.bad("timeout", "a number of seconds above 0, at most 1000000");
            }
            limits = limits.withTime(Duration.ofNanos((long) (seconds * 1e9)));
        }
        return new Launch.Conditions(
                limits,
                root.has("check") ? checks() : usual.checks(),
                root.has("threads") ? root.whole("threads", 1, 1024) : usual.threads());
    }

    private Set<RuleGroup> checks() {
        String expected = "all, none, or a list of " + String.join(", ", RuleGroup.checks());
        if (root.fields().get("check") instanceof JsonValue(Object value, _)
                && value instanceof List<?> list) {
            Set<RuleGroup> groups = EnumSet.noneOf(RuleGroup.class);
            for (Object one : list) {
                groups.add(
                        RuleGroup.check(String.valueOf(((JsonValue) one).value()))
                                .orElseThrow(() -> root.bad("check", expected)));
            }
            return groups;
        }
        return switch (root.text("check", "")) {
            case "all" -> RuleGroup.CHECKS;
            case "none" -> Set.of();
            default -> throw root.bad("check", expected);
        };
    }

    private @Nullable MachineKind machine() {
        if (!root.has("executor") || root.text("executor").isEmpty()) {
            return null;
        }
        return MachineKind.of(root.text("executor"))
                .orElseThrow(
                        () ->
                                root.bad(
                                        "executor",
                                        "one of " + String.join(", ", MachineKind.words())));
    }
}
