package dev.heddle.cli;

import dev.heddle.formats.Format;
import dev.heddle.vm.launch.Scalar;

import picocli.CommandLine.ParseResult;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The options of `heddle run` in the words of a launch file, so that both mean the same.
final class LaunchOptions {
    private static final String ARGUMENT =
            "expected TYPE:VALUE with TYPE one of "
                    + Scalar.TYPES
                    + "; bytes:HEX; NAME=FILE, NAME=FORMAT:FILE, NAME=zeros:FORMAT:SHAPE,"
                    + " NAME=poison:FORMAT:SHAPE or NAME=random:FORMAT:SHAPE:SEED";

    private final ParseResult given;
    private final Map<String, Object> fields;

    /// @param given  the options
    /// @param fields those of a launch file, which the options add to or replace
    LaunchOptions(ParseResult given, Map<?, ?> fields) {
        this.given = given;
        this.fields = new LinkedHashMap<>();
        fields.forEach((name, value) -> this.fields.put(String.valueOf(name), value));
    }

    /// The fields with the options.
    Map<String, Object> merged() {
        replace("--entry", "entry");
        extent("--grid", "grid");
        extent("--block", "block");
        whole("--shared", "shared", 0);
        whole("--max-instructions", "maxInstructions", 1);
        whole("--threads", "threads", 1);
        replace("--check", "check");
        timeout();
        arguments();
        saves();
        expectations();
        return fields;
    }

    private void replace(String option, String field) {
        String value = Command.value(given, option);
        if (value != null) {
            fields.put(field, value);
        }
    }

    private void extent(String option, String field) {
        String text = Command.value(given, option);
        if (text != null) {
            List<Integer> extents = new ArrayList<>();
            for (int extent : Numbers.parse(option, text, 1, 3)) {
                if (extent < 1) {
                    throw new UsageError(
                            option + " " + text + ": expected whole numbers of at least 1");
                }
                extents.add(extent);
            }
            fields.put(field, extents);
        } else if (!fields.containsKey(field)) {
            throw new UsageError("run: " + option + " X,Y,Z is missing (or --launch FILE)");
        }
    }

    private void whole(String option, String field, long least) {
        String text = Command.value(given, option);
        if (text == null) {
            return;
        }
        try {
            long value = Long.parseLong(text);
            if (value >= least) {
                fields.put(field, value);
                return;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new UsageError(
                option
                        + " "
                        + text
                        + ": expected a "
                        + (least == 0 ? "" : "positive ")
                        + "whole number");
    }

    private void timeout() {
        String text = Command.value(given, "--timeout");
        if (text == null) {
            return;
        }
        try {
            double seconds = Double.parseDouble(text);
            if (seconds > 0 && seconds <= 1e6) {
                fields.put("timeout", seconds);
                return;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new UsageError("--timeout " + text + ": expected a number of seconds above 0");
    }

    // Arguments.

    private void arguments() {
        List<Map<String, Object>> arguments = new ArrayList<>();
        for (String text : texts("--arg")) {
            int equals = text.indexOf('=');
            arguments.add(
                    equals > 0
                            ? buffer(text, text.substring(0, equals), text.substring(equals + 1))
                            : scalar(text));
        }
        if (!arguments.isEmpty()) {
            if (fields.containsKey("args")) {
                throw new UsageError("--arg: the launch file has the arguments already");
            }
            fields.put("args", arguments);
        }
    }

    private static Map<String, Object> scalar(String text) {
        int colon = text.indexOf(':');
        String type = colon < 0 ? "" : text.substring(0, colon);
        String value = text.substring(colon + 1);
        if (!type.equals("bytes")) {
            if (Scalar.format(type).isEmpty()) {
                throw new UsageError("--arg " + text + ": " + ARGUMENT);
            }
            try {
                Scalar.parse(type, value);
            } catch (IllegalArgumentException e) {
                throw new UsageError("--arg " + text + ": " + e.getMessage());
            }
        }
        return Map.of(type, value);
    }

    private static Map<String, Object> buffer(String text, String name, String what) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("buffer", name);
        String[] parts = what.split(":", -1);
        switch (parts[0]) {
            case "zeros", "poison" -> {
                require(parts.length == 3, text);
                fields.put(parts[0], true);
                fields.put("format", parts[1]);
                fields.put("shape", shape(text, parts[2]));
            }
            case "random" -> {
                require(parts.length == 4, text);
                try {
                    fields.put(
                            "random",
                            Map.of(
                                    "format",
                                    parts[1],
                                    "shape",
                                    shape(text, parts[2]),
                                    "seed",
                                    Long.parseLong(parts[3])));
                } catch (NumberFormatException e) {
                    throw new UsageError("--arg " + text + ": " + ARGUMENT);
                }
            }
            default -> {
                boolean typed = parts.length > 1 && Format.named(parts[0]).isPresent();
                if (typed) {
                    fields.put("format", parts[0]);
                }
                fields.put("file", absolute(typed ? what.substring(parts[0].length() + 1) : what));
            }
        }
        return fields;
    }

    private static List<Integer> shape(String text, String shape) {
        List<Integer> extents = new ArrayList<>();
        for (String extent : shape.split("x", -1)) {
            try {
                extents.add(Integer.parseInt(extent));
            } catch (NumberFormatException e) {
                throw new UsageError("--arg " + text + ": expected a shape such as 16x8");
            }
        }
        return extents;
    }

    private static void require(boolean holds, String text) {
        if (!holds) {
            throw new UsageError("--arg " + text + ": " + ARGUMENT);
        }
    }

    // Files.

    private void saves() {
        Map<String, Object> saves = new LinkedHashMap<>();
        if (fields.get("save") instanceof Map<?, ?> own) {
            own.forEach((name, file) -> saves.put(String.valueOf(name), file));
        }
        Set<String> named = new HashSet<>();
        for (String text : texts("--save")) {
            String[] parts = pair("--save", text);
            if (!named.add(parts[0])) {
                throw new UsageError("--save " + text + ": expected each buffer once");
            }
            saves.put(parts[0], absolute(parts[1]));
        }
        if (!saves.isEmpty()) {
            fields.put("save", saves);
        }
    }

    private void expectations() {
        List<Object> expectations = new ArrayList<>();
        if (fields.get("expect") instanceof List<?> own) {
            expectations.addAll(own);
        }
        Map<String, Map<String, Object>> tolerances = new LinkedHashMap<>();
        for (String text : texts("--within")) {
            String[] parts = pair("--within", text);
            tolerances.put(parts[0], tolerance(text, parts[1]));
        }
        for (String text : texts("--expect")) {
            String[] parts = pair("--expect", text);
            Map<String, Object> expectation = new LinkedHashMap<>();
            expectation.put("buffer", parts[0]);
            expectation.put("file", absolute(parts[1]));
            Map<String, Object> within = tolerances.remove(parts[0]);
            if (within != null) {
                expectation.put("within", within);
            }
            expectations.add(expectation);
        }
        if (!tolerances.isEmpty()) {
            String name = tolerances.keySet().iterator().next();
            throw new UsageError(
                    "--within " + name + "=...: there is no --expect " + name + "=FILE");
        }
        if (!expectations.isEmpty()) {
            fields.put("expect", expectations);
        }
    }

    private static Map<String, Object> tolerance(String text, String what) {
        String[] parts = what.split(":", 2);
        try {
            if (parts.length == 2 && List.of("ulps", "relative").contains(parts[0])) {
                double bound = Double.parseDouble(parts[1]);
                if (bound >= 0) {
                    return Map.of(parts[0], bound);
                }
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new UsageError("--within " + text + ": expected NAME=ulps:N or NAME=relative:X");
    }

    private static String[] pair(String option, String text) {
        String[] parts = text.split("=", 2);
        if (parts.length != 2 || parts[0].isEmpty() || parts[1].isEmpty()) {
            throw new UsageError(option + " " + text + ": expected NAME=...");
        }
        return parts;
    }

    private List<String> texts(String option) {
        return given.matchedOptionValue(option, List.<String>of());
    }

    /// Options name files from where the user stands, launch files from where they lie.
    private static String absolute(String file) {
        return Path.of(file).toAbsolutePath().toString();
    }
}
