package dev.heddle.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

@DisplayName("The local server")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PageServerTest {
    private final PageServer server;

    PageServerTest() throws IOException {
        server = PageServer.start(0);
    }

    @BeforeAll
    void started() {
        assertThat(server.address()).startsWith("http://127.0.0.1:");
    }

    @AfterAll
    void stop() {
        server.close();
    }

    /// A raw request, which no client library can mend.
    private String request(String line, String host) throws IOException {
        URI address = URI.create(server.address());
        try (Socket socket = new Socket(address.getHost(), address.getPort());
                InputStream in = socket.getInputStream()) {
            String text = line + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private String own() {
        return URI.create(server.address()).getAuthority();
    }

    @Test
    void servesThePageUnderAStrictPolicy() throws IOException {
        assertThat(request("GET /", own()))
                .startsWith("HTTP/1.1 200")
                .containsIgnoringCase(
                        "Content-Security-Policy: default-src 'none'; script-src 'self'")
                .containsIgnoringCase("X-Content-Type-Options: nosniff")
                .contains("<!doctype html>");
        assertThat(request("GET /page.js", own())).contains("text/javascript");
    }

    @Test
    void refusesForeignHosts() throws IOException {
        assertThat(request("GET /", "evil.example")).startsWith("HTTP/1.1 403");
        assertThat(request("GET /api/catalogue", "evil.example:80")).startsWith("HTTP/1.1 403");
    }

    @Test
    void servesNothingElse() throws IOException {
        for (String path :
                new String[] {
                    "/../pom.xml",
                    "/%2e%2e/%2e%2e/etc/passwd",
                    "/api",
                    "/dev/heddle/",
                    "//etc/passwd",
                    "/page/index.html"
                }) {
            assertThat(request("GET " + path, own())).as(path).startsWith("HTTP/1.1 404");
        }
        assertThat(request("POST /", own())).startsWith("HTTP/1.1 405");
    }

    @Test
    void boundsTheSizeOfAQuestion() throws IOException {
        assertThat(request("GET /api/form?opcode=" + "x".repeat(40_000), own()))
                .startsWith("HTTP/1.1 414");
        assertThat(request("GET /api/form?opcode=%zz", own())).startsWith("HTTP/1.1 400");
    }
}
