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
import java.util.ArrayList;
import java.util.List;

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
        return request(line, host, "", "");
    }

    /// The same with more lines in its head, each ended, and a body.
    private String request(String line, String host, String head, String body) throws IOException {
        URI address = URI.create(server.address());
        try (Socket socket = new Socket(address.getHost(), address.getPort());
                InputStream in = socket.getInputStream()) {
            String text =
                    line
                            + " HTTP/1.1\r\nHost: "
                            + host
                            + "\r\n"
                            + head
                            + "Connection: close\r\n\r\n"
                            + body;
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
        assertThat(request("DELETE /", own())).startsWith("HTTP/1.1 405");
        assertThat(request("HEAD /", own())).startsWith("HTTP/1.1 200").doesNotContain("<html");
    }

    @Test
    void boundsTheSizeOfAQuestion() throws IOException {
        assertThat(request("GET /api/form?opcode=" + "x".repeat(40_000), own()))
                .startsWith("HTTP/1.1 414");
        assertThat(request("GET /api/form?opcode=%zz", own())).startsWith("HTTP/1.1 400");
    }

    @Test
    void refusesQuestionsThatAnotherPageAsks() throws IOException {
        String foreign = "Sec-Fetch-Site: cross-site\r\n";
        assertThat(request("GET /api/catalogue", own(), foreign, "")).startsWith("HTTP/1.1 403");
        String followed = foreign + "Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: ";
        assertThat(request("GET /", own(), followed + "document\r\n", ""))
                .as("a link that a person follows")
                .startsWith("HTTP/1.1 200");
        assertThat(request("GET /", own(), followed + "iframe\r\n", ""))
                .as("a frame of another page")
                .startsWith("HTTP/1.1 403");
        assertThat(request("GET /api/catalogue", own(), followed + "document\r\n", ""))
                .as("a link to a question")
                .startsWith("HTTP/1.1 403");
        assertThat(request("GET /api/catalogue", own(), "Sec-Fetch-Site: same-origin\r\n", ""))
                .startsWith("HTTP/1.1 200");
        assertThat(
                        request(
                                "POST /api/file",
                                own(),
                                "Origin: https://evil.example\r\nContent-Length: 1\r\n",
                                "x"))
                .startsWith("HTTP/1.1 403");
    }

    @Test
    void aFileIsListedWithItsFindings() throws IOException {
        String text =
                """
                .version 8.0
                .target sm_80
                .address_size 64
                .visible .entry k() {
                    .reg .f32 %f<4>;
                    .reg .b32 %r<6>;
                    mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1,%r2}, {%r4,%r5}, {%f0,%f1,%f2,%f3};
                    ret;
                }
                """;
        String answer =
                request("POST /api/file", own(), "Content-Length: " + text.length() + "\r\n", text);
        assertThat(answer)
                .startsWith("HTTP/1.1 200")
                .contains("\"line\":7", "mma.sync.aligned.m16n8k16", "PTX ISA 9.7.14");
        int most = (4 << 20) + 1;
        assertThat(
                        request(
                                "POST /api/file",
                                own(),
                                "Content-Length: " + most + "\r\n",
                                "x".repeat(most)))
                .startsWith("HTTP/1.1 413");
    }

    @Test
    void thoseWhoSendSlowlyKeepNobodyWaiting() throws IOException {
        List<Socket> slow = new ArrayList<>();
        try {
            URI address = URI.create(server.address());
            for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors() + 4; i++) {
                Socket socket = new Socket(address.getHost(), address.getPort());
                slow.add(socket);
                String head =
                        "POST /api/file HTTP/1.1\r\nHost: "
                                + own()
                                + "\r\nContent-Length: 9\r\n\r\n";
                socket.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
            }
            assertThat(request("GET /page.js", own())).startsWith("HTTP/1.1 200");
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    @Test
    void compressesWhatIsWorthIt() throws IOException {
        String packed = "Accept-Encoding: gzip, br\r\n";
        assertThat(request("GET /page.js", own(), packed, ""))
                .containsIgnoringCase("Content-Encoding: gzip");
        assertThat(request("GET /page.js", own()).length())
                .isGreaterThan(3 * request("GET /page.js", own(), packed, "").length());
    }
}
