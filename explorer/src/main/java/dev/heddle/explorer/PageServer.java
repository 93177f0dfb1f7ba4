package dev.heddle.explorer;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// Serves the page on the loopback interface.
///
/// It answers GET alone, to requests that name this machine as their host (so that no foreign page
/// can reach it under a name of its own), with nothing but the files of the page and the answers of
/// [Api], and forbids the page to load anything from elsewhere.
public final class PageServer implements AutoCloseable {
    private static final int LONGEST_QUERY = 32_768;
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:;"
                    + " connect-src 'self'; base-uri 'none'; form-action 'none';"
                    + " frame-ancestors 'none'";

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
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
            Answer answer = answer(exchange);
            Headers headers = exchange.getResponseHeaders();
            headers.set("Content-Type", answer.type());
            headers.set("Content-Security-Policy", POLICY);
            headers.set("X-Content-Type-Options", "nosniff");
            headers.set("Referrer-Policy", "no-referrer");
            headers.set("Cross-Origin-Resource-Policy", "same-origin");
            headers.set("Cache-Control", "no-store");
            byte[] body = answer.bytes();
            exchange.sendResponseHeaders(answer.status(), body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private Answer answer(HttpExchange exchange) {
        String host = exchange.getRequestHeaders().getFirst("Host");
        List<String> hosts =
                List.of("127.0.0.1:" + port(), "localhost:" + port(), "[::1]:" + port());
        if (host == null || !hosts.contains(host)) {
            return Answer.refusal(403, "this server answers to " + hosts + " alone");
        }
        if (!exchange.getRequestMethod().equals("GET")) {
            return Answer.refusal(405, "expected GET");
        }
        String path = exchange.getRequestURI().getPath();
        String query = exchange.getRequestURI().getRawQuery();
        if (query != null && query.length() > LONGEST_QUERY) {
            return Answer.refusal(414, "a query longer than " + LONGEST_QUERY + " characters");
        }
        if (path.startsWith("/api/")) {
            try {
                return api.answer(path.substring(5), values(query == null ? "" : query));
            } catch (IllegalArgumentException e) {
                return Answer.refusal(400, "the query is not percent-encoded text");
            }
        }
        PageFile file = files.get(path);
        return file == null
                ? Answer.refusal(404, "no such page")
                : new Answer(200, file.type(), file.text());
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
