package dev.heddle.vm.launch;

import dev.heddle.formats.IntegerFormat;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Launch;
import dev.heddle.vm.scheduling.Grid.Extent;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// A launch and what to expect of it, as a JSON file states them.
///
/// @param ptx the file of the module, relative to the launch file; empty where it does not say
/// @param entry the kernel's name; empty for the only kernel of the module
/// @param launch grid, block, arguments, limits
/// @param types of the buffers, where known
/// @param expectations of buffers
/// @param stdout what the kernel should print, or null where nothing is expected of it
/// @param saves file by buffer: what to save after the launch
/// @param executor the machine to run on: `interpreter`, `compiler` or `gpu`; empty where it does
///     not say
public record LaunchFile(
        String ptx,
        String entry,
        Launch launch,
        Map<String, BufferType> types,
        List<Expectation> expectations,
        @Nullable String stdout,
        Map<String, String> saves,
        String executor) {
    private static final Set<String> EXECUTORS = Set.of("", "interpreter", "compiler", "gpu");
    private static final Set<String> FIELDS =
            Set.of(
                    "ptx",
                    "entry",
                    "grid",
                    "block",
                    "shared",
                    "cluster",
                    "args",
                    "expect",
                    "stdout",
                    "note",
                    "save",
                    "check",
                    "executor",
                    "timeout",
                    "maxInstructions",
                    "threads");

    public LaunchFile {
        types = Collections.unmodifiableMap(new LinkedHashMap<>(types));
        expectations = List.copyOf(expectations);
        saves = Map.copyOf(saves);
    }

    /// Reads a launch file.
    ///
    /// @param json its text
    /// @param arrays reads the files it names
    /// @throws IllegalArgumentException where a field is unknown, missing or of the wrong kind
    /// @throws java.io.UncheckedIOException where an array cannot be read
    public static LaunchFile parse(String json, ArraySource arrays) {
        return of(JsonFields.parse(json), arrays);
    }

    /// Reads what a launch file holds, parsed: maps, lists, strings, numbers.
    ///
    /// @param fields the outermost object
    /// @param arrays reads the files it names
    /// @throws IllegalArgumentException where a field is unknown, missing or of the wrong kind
    /// @throws java.io.UncheckedIOException where an array cannot be read
    public static LaunchFile of(Map<?, ?> fields, ArraySource arrays) {
        return of(new JsonFields("", fields), arrays);
    }

    private static LaunchFile of(JsonFields root, ArraySource arrays) {
        root.allow(FIELDS);
        String executor = root.text("executor", "");
        if (!EXECUTORS.contains(executor)) {
            throw root.bad("executor", "interpreter, compiler or gpu");
        }
        Map<String, BufferType> types = new LinkedHashMap<>();
        ArgumentReader reader = new ArgumentReader(arrays, types);
        List<Argument> arguments = new ArrayList<>();
        for (JsonFields argument :
                root.has("args") ? root.objects("args") : List.<JsonFields>of()) {
            arguments.add(reader.read(argument));
        }
        List<Expectation> expectations = new ArrayList<>();
        for (JsonFields one : root.has("expect") ? root.objects("expect") : List.<JsonFields>of()) {
            expectations.add(expectation(one, types));
        }
        Map<String, String> saves = new LinkedHashMap<>();
        if (root.has("save")) {
            JsonFields save = root.object("save");
            save.allow(types.keySet());
            types.keySet().stream()
                    .filter(save::has)
                    .forEach(name -> saves.put(name, save.text(name)));
        }
        return new LaunchFile(
                root.text("ptx", ""),
                root.text("entry", ""),
                launch(root, arguments),
                types,
                expectations,
                root.has("stdout") ? root.text("stdout") : null,
                saves,
                executor);
    }

    private static Launch launch(JsonFields root, List<Argument> arguments) {
        Launch launch =
                Launch.of(
                                extent(root, "grid"),
                                extent(root, "block"),
                                arguments.toArray(Argument[]::new))
                        .withDynamicShared(
                                root.has("shared") ? root.whole("shared", 0, 1 << 20) : 0);
        Launch.Bounds bounds = launch.limits();
        launch =
                launch.withLimits(
                        new Launch.Bounds(
                                bounds.memoryBytes(),
                                bounds.localBytes(),
                                root.has("maxInstructions")
                                        ? root.whole("maxInstructions", 1, bounds.steps())
                                        : bounds.steps(),
                                root.has("timeout")
                                        ? timeout(root.number("timeout"))
                                        : bounds.time()));
        if (root.has("cluster")) {
            launch = launch.withCluster(extent(root, "cluster"));
        }
        if (root.has("threads")) {
            launch = launch.withThreads(root.whole("threads", 1, 1024));
        }
        return switch (root.text("check", "all")) {
            case "all" -> launch;
            case "none" -> launch.withChecking(Launch.Checking.NONE);
            default -> throw root.bad("check", "all or none");
        };
    }

    private static Duration timeout(double seconds) {
        if (seconds > 0 && seconds <= 1e6) {
            return Duration.ofNanos((long) (seconds * 1e9));
        }
        throw new IllegalArgumentException(
                "field timeout is %s: expected a number of seconds above 0".formatted(seconds));
    }

    private static Expectation expectation(JsonFields fields, Map<String, BufferType> types) {
        fields.allow(Set.of("buffer", "file", "format", "within"));
        String buffer = fields.text("buffer");
        BufferType type = types.get(buffer);
        if (type == null) {
            throw fields.bad("buffer", "one of " + new TreeSet<>(types.keySet()));
        }
        if (fields.has("format")) {
            String format = fields.text("format");
            type = BufferType.row(Scalar.format(format).orElse(IntegerFormat.U8), type.bytes());
        }
        Expectation exact =
                new Expectation(buffer, fields.text("file"), type, Expectation.Tolerance.EXACT, 0);
        if (!fields.has("within") || "exact".equals(fields.fields().get("within"))) {
            return exact;
        }
        JsonFields within = fields.object("within");
        within.allow(Set.of("ulps", "relative"));
        return within.has("ulps")
                ? exact.within(Expectation.Tolerance.ULPS, within.number("ulps"))
                : exact.within(Expectation.Tolerance.RELATIVE, within.number("relative"));
    }

    private static Extent extent(JsonFields root, String field) {
        List<Integer> values = root.extents(field);
        if (values.isEmpty() || values.size() > 3) {
            throw root.bad(field, "one to three extents");
        }
        return new Extent(
                values.get(0),
                values.size() > 1 ? values.get(1) : 1,
                values.size() > 2 ? values.get(2) : 1);
    }
}
