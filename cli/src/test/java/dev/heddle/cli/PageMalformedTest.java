package dev.heddle.cli;

import static dev.heddle.cli.PageTest.DENSE;
import static dev.heddle.cli.PageTest.SPARSE;
import static dev.heddle.cli.PageTest.WGMMA;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// Addresses and inputs that cannot be right. Each build tries a sample;
/// `-Dheddle.page.malformed=10000` tries as many.
@DisplayName("Malformed addresses and inputs of the page")
@ExtendWith(PageResolver.class)
final class PageMalformedTest {
    private static final long SEED = 5_20261121L;
    private static final int COUNT = Integer.getInteger("heddle.page.malformed", 60);

    /// Wrong wherever it stands.
    private static final List<String> JUNK =
            List.of(
                    "x",
                    "-1",
                    "999999999999",
                    "1e3",
                    "<img src=x onerror=alert(1)>",
                    "<script>alert(1)</script>",
                    "'\"`${alert(1)}",
                    "\u0000\uffff",
                    "\u202e\ud83d\ude00",
                    "mma.sync",
                    "0,99,99,1",
                    "a:b:c",
                    "e:4444",
                    "4:zzzzzzzz",
                    "__proto__",
                    "constructor",
                    "{",
                    "sm_1",
                    "../../etc/passwd",
                    "javascript:alert(1)");

    /// Right in form, but outside of what the forms have.
    private static final Map<String, List<String>> OUTSIDE =
            Map.ofEntries(
                    Map.entry("at", List.of("9,0,0", "0,999,0", "0,0,999")),
                    Map.entry("el", List.of("999,0", "0,999")),
                    Map.entry("lane", List.of("128", "999")),
                    Map.entry("d", List.of("999,0", "0,999")),
                    Map.entry("gen", List.of("sm_10", "sm_999")),
                    Map.entry("target", List.of("sm_11", "sm_999")),
                    Map.entry("meta", List.of("127:44444444", "999:0")),
                    Map.entry("va", List.of("99.0:1", "0.999:1")),
                    Map.entry("vsfa", List.of("99.9:1")),
                    Map.entry("chunk", List.of("999,0", "0,1")),
                    Map.entry(
                            "op",
                            List.of(DENSE + ".x", DENSE.replace("16", "17"), "mma.sync.aligned")));

    private static final List<String> NAMES =
            List.of(
                    "op",
                    "src",
                    "v",
                    "f",
                    "t",
                    "at",
                    "el",
                    "lane",
                    "target",
                    "ins",
                    "meta",
                    "va",
                    "vb",
                    "vc",
                    "vsfa",
                    "vsfb",
                    "role",
                    "mode",
                    "major",
                    "desc",
                    "w",
                    "chunk",
                    "d",
                    "gen",
                    "nonsense");

    private static final List<String> INPUTS =
            List.of(
                    "instruction",
                    "element",
                    "descriptor",
                    "values",
                    "place",
                    "rowA",
                    "columnB",
                    "valueC",
                    "word",
                    "lane");

    private final OpenPage page;

    PageMalformedTest(OpenPage page) {
        this.page = page;
    }

    private static String junk(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> "x".repeat(1 + random.nextInt(300));
            case 1 -> "!" + (char) (33 + random.nextInt(0xD7DE)) + random.nextLong();
            default -> JUNK.get(random.nextInt(JUNK.size()));
        };
    }

    private static String wrong(String name, Random random) {
        List<String> outside = OUTSIDE.getOrDefault(name, List.of());
        return outside.isEmpty() || random.nextBoolean()
                ? junk(random)
                : outside.get(random.nextInt(outside.size()));
    }

    @Test
    void getAMessageAndAPage() {
        page.open("");
        Random random = new Random(SEED);
        for (int i = 0; i < COUNT; i++) {
            boolean address = i % 2 == 0;
            String what = address ? followMalformed(random) : enterMalformed(random);
            assertThat(page.browser.string(STATE)).as("%d: %s seed %d", i, what, SEED).isEmpty();
        }
        page.nothingWentWrong();
    }

    /// What is missing of a message and a page that is drawn; empty if nothing.
    private static final String STATE =
            """
            (() => {
              const missing = [];
              const message = document.getElementById('message');
              if (message.hidden || !message.textContent.trim()) missing.push('message');
              if (/Exception|undefined is|null|Cannot read|is not a function/.test(message.textContent)) missing.push(message.textContent);
              if (!document.getElementById('opcode').textContent) missing.push('opcode');
              if (!heddle.sheets.picture.tiles.length) missing.push('figure');
              if (!document.getElementById('where').textContent) missing.push('where');
              if (document.querySelector('#message img, #message script, main script, main img')) missing.push('markup');
              return missing.join();
            })()\
            """;

    /// One to three names of which at least the first is wrong.
    private String followMalformed(Random random) {
        List<String> parts = new ArrayList<>();
        for (int n = random.nextInt(3); n >= 0; n--) {
            String name = NAMES.get(random.nextInt(NAMES.size()));
            parts.add(name + "=" + OpenPage.encoded(wrong(name, random)));
        }
        if (random.nextInt(10) == 0) {
            parts.set(0, parts.getFirst() + "%zz%");
        }
        if (parts.stream().noneMatch(part -> part.startsWith("op=")) && random.nextBoolean()) {
            List<String> opcodes = List.of(DENSE, SPARSE, WGMMA);
            parts.add("op=" + opcodes.get(random.nextInt(opcodes.size())));
        }
        String hash = String.join("&", parts);
        page.browser.follow(hash);
        return hash;
    }

    /// Something wrong, typed into one of the inputs of a page that was right.
    private String enterMalformed(Random random) {
        String input = INPUTS.get(random.nextInt(INPUTS.size()));
        String text = typed(input, random);
        String opcode =
                switch (input) {
                    case "descriptor" -> WGMMA;
                    case "values", "word" -> SPARSE;
                    default -> DENSE;
                };
        page.browser.follow("op=" + opcode + "&v=D");
        assertThat(page.message()).isEmpty();
        switch (input) {
            case "instruction" ->
                    page.browser.redraw(
                            () ->
                                    page.browser.evaluate(
                                            """
                                            document.getElementById('instruction').value = %s;
                                            document.getElementById('ask').requestSubmit();\
                                            """
                                                    .formatted(Browser.quoted(text))));
            case "word" ->
                    page.browser.evaluate(
                            """
                            (e => { e.value = %s; e.dispatchEvent(new Event('change', {bubbles: true})); })\
                            (document.querySelector('#words input'))\
                            """
                                    .formatted(Browser.quoted(text)));
            case "values" -> {
                page.browser.evaluate("document.querySelector('#dense button').click()");
                page.enter(input, text, "change");
            }
            case "element" -> page.enter(input, text, "change");
            case "lane" -> page.enter(input, text, "input");
            default -> page.choose(input, text);
        }
        page.browser.await("!document.getElementById('message').hidden");
        return input + " " + text;
    }

    private static String typed(String input, Random random) {
        return switch (input) {
            // a number input hands over numbers alone
            case "lane" -> List.of("-1", "128", "999", "1000").get(random.nextInt(4));
            case "element", "place" -> random.nextBoolean() ? "999,0" : junk(random);
            case "word" -> junk(random).replaceAll("^-?[0-9a-f]{1,8}$", "zzz");
            case "descriptor" -> "g" + junk(random);
            case "rowA", "columnB" -> random.nextBoolean() ? "1 ".repeat(99) : "z" + junk(random);
            case "valueC", "values" -> "z" + junk(random);
            case "instruction" -> "?" + junk(random);
            default -> junk(random);
        };
    }
}
