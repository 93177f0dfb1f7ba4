package dev.heddle.explorer;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;

/// Serves the page on the loopback interface.
///
/// It answers GET, HEAD and one kind of POST, to requests that name this machine as their host (so
/// that no foreign page can reach it under a name of its own) and that no foreign page made, with
/// nothing but the files of the page and the answers of [Api], and forbids the page to load
/// anything from elsewhere. Few questions are answered at a time: others wait, or are told to come
/// again.
public final class PageServer implements AutoCloseable {
    private static final int LONGEST_QUERY = 32_768;
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:;"
                    + " connect-src 'self'; base-uri 'none'; form-action 'none';"
                    + " frame-ancestors 'none'";

    private static final int LONGEST_TEXT = 4 << 20;

    /// Where questions are asked; all other paths are files of the page.
    private static final String API = "/api/";

    /// Questions that are worked on at a time, and how long others wait for their turn.
    private static final int AT_ONCE = Math.max(2, Runtime.getRuntime().availableProcessors());

    private static final int PATIENCE_SECONDS = 20;

    /// Shorter answers are sent as they are.
    private static final int WORTH_PACKING = 1_024;

    private static final Answer NOT_ALLOWED = Answer.refusal(405, "expected GET");

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Semaphore turns = new Semaphore(AT_ONCE);
    private final Api api = new Api();
    private final Map<String, PageFile> files = PageFile.all();

    private PageServer(HttpServer server) {
        this.server = server;
    }

    /// Starts a server.
    ///
    /// @param port the port; 0 for any that is free
    /// @throws IOException if the port is taken
    public static PageServer start(int port) throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        PageServer page = new PageServer(HttpServer.create(address, 64));
        page.server.setExecutor(page.threads);
        page.server.createContext("/", page::handle);
        page.server.start();
        return page;
    }

    /// Where the page is.
    public String address() {
        return "http://127.0.0.1:" + port() + "/";
    }

    private int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Answer answer = guarded(exchange);
            Headers headers = exchange.getResponseHeaders();
            headers.set("Content-Type", answer.type());
            headers.set("Content-Security-Policy", POLICY);
            headers.set("X-Content-Type-Options", "nosniff");
            headers.set("Referrer-Policy", "no-referrer");
            headers.set("Cross-Origin-Resource-Policy", "same-origin");
            headers.set("Cache-Control", "no-store");
            headers.set("Vary", "Accept-Encoding");
            byte[] body = packed(answer.bytes(), exchange);
            boolean head = exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(answer.status(), head ? -1 : body.length);
            if (!head) {
                exchange.getResponseBody().write(body);
            }
        }
    }

    /// The bytes as they are sent: compressed if whoever asked takes that and it is worth it.
    private static byte[] packed(byte[] body, HttpExchange exchange) throws IOException {
        String accepted = exchange.getRequestHeaders().getFirst("Accept-Encoding");
        if (accepted == null || !accepted.contains("gzip") || body.length < WORTH_PACKING) {
            return body;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream packed = new GZIPOutputStream(bytes)) {
            packed.write(body);
        }
        exchange.getResponseHeaders().set("Content-Encoding", "gzip");
        return bytes.toByteArray();
    }

    /// The answer, whatever happens: what went wrong inside is nobody's business outside.
    private Answer guarded(HttpExchange exchange) throws IOException {
        Optional<Answer> refused = refusal(exchange);
        if (refused.isPresent()) {
            return refused.get();
        }
        // A text may come slowly: whoever sends it has no turn yet.
        boolean sent = exchange.getRequestMethod().equals("POST");
        byte[] text = sent ? exchange.getRequestBody().readNBytes(LONGEST_TEXT + 1) : new byte[0];
        boolean turn = false;
        try {
            turn = turns.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS);
            return turn
                    ? answer(exchange, text)
                    : Answer.refusal(503, "too many questions at a time");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Answer.refusal(503, "the server ends");
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
            System.getLogger("heddle.page").log(System.Logger.Level.DEBUG, "internal error", e);
            return Answer.refusal(500, "internal error, not a fault of your question");
        } finally {
            if (turn) {
                turns.release();
            }
        }
    }

    private Answer answer(HttpExchange exchange, byte[] text) {
        String path = exchange.getRequestURI().getPath();
        return exchange.getRequestMethod().equals("POST")
                ? sent(path, text)
                : page(path, exchange.getRequestURI().getRawQuery());
    }

    /// Why a request is not answered, if it is not: what it asks, and who asks it.
    private Optional<Answer> refusal(HttpExchange exchange) {
        Headers headers = exchange.getRequestHeaders();
        String host = headers.getFirst("Host");
        List<String> hosts =
                List.of("127.0.0.1:" + port(), "localhost:" + port(), "[::1]:" + port());
        if (host == null || !hosts.contains(host)) {
            return Optional.of(Answer.refusal(403, "this server answers to " + hosts + " alone"));
        }
        String method = exchange.getRequestMethod();
        boolean question = exchange.getRequestURI().getPath().startsWith(API);
        boolean known = method.equals("GET") || method.equals("HEAD");
        if (!known && !(question && method.equals("POST"))) {
            return Optional.of(NOT_ALLOWED);
        }
        return isForeign(headers, question || !known)
                ? Optional.of(Answer.refusal(403, "this server answers its own page alone"))
                : Optional.empty();
    }

    /// Whether another page makes the request. A link from there that a person follows leads to
    /// the page, and to no question.
    private static boolean isForeign(Headers headers, boolean question) {
        String origin = headers.getFirst("Origin");
        String site = headers.getFirst("Sec-Fetch-Site");
        boolean followed =
                "navigate".equals(headers.getFirst("Sec-Fetch-Mode"))
                        && "document".equals(headers.getFirst("Sec-Fetch-Dest"))
                        && !question;
        boolean elsewhere = site != null && !site.equals("same-origin") && !site.equals("none");
        return elsewhere && !followed
                || origin != null && !origin.equals("http://" + headers.getFirst("Host"));
    }

    private Answer page(String path, @Nullable String query) {
        if (query != null && query.length() > LONGEST_QUERY) {
            return Answer.refusal(414, "a query longer than " + LONGEST_QUERY + " characters");
        }
        if (path.startsWith(API)) {
            try {
                return api.answer(path.substring(API.length()), values(query == null ? "" : query));
            } catch (IllegalArgumentException e) {
                return Answer.refusal(400, "the query is not percent-encoded text");
            }
        }
        PageFile file = files.get(path);
        return file == null
                ? Answer.refusal(404, "no such page")
                : new Answer(200, file.type(), file.text());
    }

    /// A text that was sent by the page itself.
    private Answer sent(String path, byte[] text) {
        return text.length > LONGEST_TEXT
                ? Answer.refusal(413, "a text longer than " + LONGEST_TEXT + " bytes")
                : api.answer(
                        path.substring(API.length()), new String(text, StandardCharsets.UTF_8));
    }

    /// The values of a query, percent-decoded.
    ///
    /// @throws IllegalArgumentException if it is malformed
    static Map<String, String> values(String query) {
        Map<String, String> values = new HashMap<>();
        for (String pair : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                values.put(decoded(pair.substring(0, equals)), decoded(pair.substring(equals + 1)));
            }
        }
        return values;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
