package dev.heddle.cli;

import org.jspecify.annotations.Nullable;

import tools.jackson.jr.ob.JSON;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/// A headless Chromium with one page, spoken to over its DevTools protocol.
///
/// The protocol is JSON over a web socket, which the JDK has; a browser-automation library would
/// bring a runtime of its own.
final class Browser implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 60;

    private static final Map<String, Integer> KEYS =
            Map.ofEntries(
                    Map.entry("Enter", 13),
                    Map.entry("Tab", 9),
                    Map.entry("Escape", 27),
                    Map.entry(" ", 32),
                    Map.entry("PageUp", 33),
                    Map.entry("PageDown", 34),
                    Map.entry("End", 35),
                    Map.entry("Home", 36),
                    Map.entry("ArrowLeft", 37),
                    Map.entry("ArrowUp", 38),
                    Map.entry("ArrowRight", 39),
                    Map.entry("ArrowDown", 40));

    private final Process process;
    private final Path profile;
    private final WebSocket socket;
    private final AtomicInteger next = new AtomicInteger();
    private final Map<Integer, CompletableFuture<Map<String, Object>>> calls =
            new ConcurrentHashMap<>();
    private String session = "";

    /// Uncaught exceptions, console errors and refused loads.
    final List<String> errors = new CopyOnWriteArrayList<>();

    /// Every address that the page asked for.
    final List<String> requests = new CopyOnWriteArrayList<>();

    /// The browser of this machine; empty if there is none.
    static Optional<Path> installed() {
        return Stream.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst();
    }

    Browser(Path executable) throws IOException {
        profile = Files.createTempDirectory("heddle-browser");
        process =
                new ProcessBuilder(
                                executable.toString(),
                                "--headless=new",
                                "--no-sandbox",
                                "--disable-gpu",
                                "--disable-dev-shm-usage",
                                "--no-first-run",
                                "--disable-background-networking",
                                "--remote-debugging-port=0",
                                "--user-data-dir=" + profile,
                                "about:blank")
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        socket =
                HttpClient.newHttpClient()
                        .newWebSocketBuilder()
                        .buildAsync(URI.create(address()), new Listener())
                        .join();
        Map<String, Object> target = call("Target.createTarget", Map.of("url", "about:blank"));
        session =
                text(
                        call(
                                "Target.attachToTarget",
                                Map.of("targetId", text(target, "targetId"), "flatten", true)),
                        "sessionId");
        for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
            call(domain + ".enable", Map.of());
        }
    }

    /// Chromium says on its error stream where it listens.
    private String address() throws IOException {
        BufferedReader lines = process.errorReader(StandardCharsets.UTF_8);
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith("DevTools listening on ")) {
                Thread.ofVirtual().start(() -> lines.lines().forEach(ignored -> {}));
                return line.substring("DevTools listening on ".length());
            }
        }
        throw new IOException("chromium ended before it listened");
    }

    /// One command of the protocol.
    Map<String, Object> call(String method, Map<String, Object> parameters) {
        int id = next.incrementAndGet();
        CompletableFuture<Map<String, Object>> answer = new CompletableFuture<>();
        calls.put(id, answer);
        Map<String, Object> message = new HashMap<>();
        message.put("id", id);
        message.put("method", method);
        message.put("params", parameters);
        if (!session.isEmpty()) {
            message.put("sessionId", session);
        }
        socket.sendText(JSON.std.asString(message), true).join();
        try {
            return answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError(method + ": " + e, e);
        }
    }

    /// The value of a JavaScript expression, awaited.
    @Nullable Object evaluate(String expression) {
        Map<String, Object> answer =
                call(
                        "Runtime.evaluate",
                        Map.of(
                                "expression", expression,
                                "awaitPromise", true,
                                "returnByValue", true));
        if (answer.containsKey("exceptionDetails")) {
            throw new AssertionError(expression + ": " + answer.get("exceptionDetails"));
        }
        return map(Objects.requireNonNull(answer.get("result"))).get("value");
    }

    String string(String expression) {
        return String.valueOf(evaluate(expression));
    }

    /// Opens an address and waits until the page has drawn it.
    void open(String address) {
        call("Page.navigate", Map.of("url", "about:blank"));
        call("Page.navigate", Map.of("url", address));
        await("document.documentElement && document.documentElement.dataset.ready >= 1");
    }

    /// Does something that makes the page draw anew, and waits for it.
    void redraw(Runnable action) {
        String before = string("Number(document.documentElement.dataset.ready)");
        action.run();
        await("Number(document.documentElement.dataset.ready) > " + before);
    }

    /// Follows a link within the page that is open, and waits until it is drawn.
    ///
    /// @param hash what stands behind the `#`
    void follow(String hash) {
        evaluate(
                """
                new Promise(done => {
                  const root = document.documentElement;
                  const seen = new MutationObserver(() => { seen.disconnect(); done(); });
                  seen.observe(root, {attributes: true, attributeFilter: ["data-ready"]});
                  const before = location.hash;
                  location.hash = %s;
                  if (location.hash === before) {
                    dispatchEvent(new HashChangeEvent("hashchange"));
                  }
                })\
                """
                        .formatted(quoted(hash)));
    }

    /// A text as a JavaScript literal.
    static String quoted(String text) {
        return JSON.std.asString(text).replace("\u2028", "\\u2028").replace("\u2029", "\\u2029");
    }

    /// Waits until an expression is true.
    void await(String condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!Boolean.TRUE.equals(evaluate("Boolean(" + condition + ")"))) {
            if (System.nanoTime() > end) {
                throw new AssertionError("never true: " + condition + "; errors " + errors);
            }
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(20);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /// Presses and releases a key, as `Enter` or `ArrowDown` or `Tab`.
    void press(String key) {
        Map<String, Object> event = new HashMap<>();
        event.put("key", key);
        event.put("code", key.equals(" ") ? "Space" : key);
        event.put("windowsVirtualKeyCode", KEYS.getOrDefault(key, 0));
        if (key.equals("Enter")) {
            event.put("text", "\r");
        }
        event.put("type", event.containsKey("text") ? "keyDown" : "rawKeyDown");
        call("Input.dispatchKeyEvent", event);
        event.put("type", "keyUp");
        event.remove("text");
        call("Input.dispatchKeyEvent", event);
    }

    /// Types text where the focus is.
    void type(String text) {
        call("Input.insertText", Map.of("text", text));
    }

    void mouse(String type, double x, double y) {
        call(
                "Input.dispatchMouseEvent",
                Map.of(
                        "type", type,
                        "x", x,
                        "y", y,
                        "button", type.equals("mouseMoved") ? "none" : "left",
                        "clickCount", type.equals("mouseMoved") ? 0 : 1));
    }

    void click(double x, double y) {
        mouse("mouseMoved", x, y);
        mouse("mousePressed", x, y);
        mouse("mouseReleased", x, y);
    }

    void window(int width, int height, double scale) {
        call(
                "Emulation.setDeviceMetricsOverride",
                Map.of(
                        "width", width,
                        "height", height,
                        "deviceScaleFactor", scale,
                        "mobile", width < 600));
    }

    void colors(String scheme) {
        call(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "features",
                        List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    void screenshot(Path file) {
        try {
            Files.createDirectories(Objects.requireNonNull(file.getParent()));
            Files.write(
                    file,
                    Base64.getDecoder()
                            .decode(
                                    text(
                                            call("Page.captureScreenshot", Map.of("format", "png")),
                                            "data")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            call("Browser.close", Map.of());
        } catch (AssertionError | RuntimeException e) {
            process.destroyForcibly();
        }
        socket.abort();
        try {
            process.waitFor(5, TimeUnit.SECONDS);
            process.destroyForcibly();
            try (Stream<Path> files = Files.walk(profile)) {
                for (Path file : new ArrayList<>(files.toList()).reversed()) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException | InterruptedException e) {
            System.getLogger("browser").log(System.Logger.Level.DEBUG, "left " + profile, e);
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object value) {
        return (Map<String, Object>) value;
    }

    private static String text(Map<String, Object> map, String name) {
        return String.valueOf(map.get(name));
    }

    private void receive(Map<String, Object> message) {
        if (message.get("id") instanceof Number id) {
            CompletableFuture<Map<String, Object>> call = calls.remove(id.intValue());
            if (call != null && message.containsKey("error")) {
                call.completeExceptionally(new IOException(text(message, "error")));
            } else if (call != null) {
                call.complete(map(message.getOrDefault("result", Map.of())));
            }
            return;
        }
        Map<String, Object> parameters = map(message.getOrDefault("params", Map.of()));
        switch (text(message, "method")) {
            case "Runtime.exceptionThrown" -> errors.add(text(parameters, "exceptionDetails"));
            case "Runtime.consoleAPICalled" -> {
                if (text(parameters, "type").equals("error")) {
                    errors.add(text(parameters, "args"));
                }
            }
            case "Log.entryAdded" -> {
                Map<String, Object> entry = map(Objects.requireNonNull(parameters.get("entry")));
                if (text(entry, "level").equals("error")) {
                    errors.add(text(entry, "text"));
                }
            }
            case "Network.requestWillBeSent" ->
                    requests.add(
                            text(map(Objects.requireNonNull(parameters.get("request"))), "url"));
            default -> {}
        }
    }

    /// Puts the parts of messages together.
    private final class Listener implements WebSocket.Listener {
        private final StringBuilder message = new StringBuilder();

        @Override
        public @Nullable CompletionStage<?> onText(
                WebSocket from, CharSequence part, boolean last) {
            message.append(part);
            if (last) {
                receive(JSON.std.mapFrom(message.toString()));
                message.setLength(0);
            }
            from.request(1);
            return null;
        }
    }
}
