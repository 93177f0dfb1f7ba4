package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.compiler.Compilations;
import dev.heddle.vm.ir.Extent;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

@DisplayName("what functions of the machine read was written: the host sees it")
final class PrintedValuesTest {
    /// `%rd2` and `%rd3` are the generic addresses of the format and of the arguments.
    private static String kernel(String format, String body) {
        String bytes =
                IntStream.range(0, format.length())
                        .mapToObj(i -> "%d, ".formatted((int) format.charAt(i)))
                        .collect(Collectors.joining());
        return """
        .version 8.3
        .target sm_90
        .address_size 64
        .extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);
        .extern .func (.param .b64 r) malloc(.param .b64 a);
        .extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c,
            .param .b64 d, .param .b64 e);
        .global .align 1 .b8 format[%d] = {%s0};
        .global .align 1 .b8 word[4] = {97, 98, 99, 0};
        .global .align 1 .b8 zeros[4];
        .const .align 1 .b8 fixed[3] = {120, 121, 0};
        .visible .entry k() {
        .reg .b64 %%rd<9>; .reg .b32 %%r<9>; .reg .b16 %%h<4>; .reg .f64 %%fd<3>; .reg .pred %%p<3>;
        .local .align 8 .b8 depot[32]; .local .align 8 .b8 text[8];
        .shared .align 8 .b8 tile[16];
        mov.u64 %%rd2, format; cvta.global.u64 %%rd2, %%rd2;
        mov.u64 %%rd4, depot; cvta.local.u64 %%rd3, %%rd4;
        mov.u64 %%rd5, word; cvta.global.u64 %%rd5, %%rd5;
        mov.u64 %%rd6, text; cvta.local.u64 %%rd7, %%rd6;
        %s
        { .param .b64 p0; st.param.b64 [p0], %%rd2; .param .b64 p1;
        st.param.b64 [p1], %%rd3; .param .b32 r0;
        call.uni (r0), vprintf, (p0, p1); ld.param.b32 %%r8, [r0]; }
        ret;
        }
        """
                .formatted(format.length() + 1, bytes, body);
    }

    private static List<Outcome> run(String text) {
        Launch launch = Launch.of(new Extent(1, 1, 1), new Extent(1, 1, 1));
        return List.of(
                        Machine.interpreter(),
                        Machine.compiler(),
                        Machine.compiler(new Compilations(0)))
                .stream()
                .map(machine -> machine.run(Kernel.of(text, "k.ptx", "k"), launch))
                .toList();
    }

    @DisplayName("a value that nobody wrote is told")
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                // Never stored, or stored from a register that nobody wrote.
                "%d; ; depot",
                "%d; st.local.u32 [%rd4], %r1@ ; depot",
                "%d; st.local.u16 [%rd4], 1@ ; never wrote byte 2",
                "%d %f; st.local.u32 [%rd4], 1@ ; 8 bytes at local address",
                "%*d; st.local.u32 [%rd4+4], 1@ ; depot",
                "%hd; st.local.u8 [%rd4], 1@ ; never wrote byte 1",
                "%lld; st.local.u32 [%rd4], 1@ ; never wrote byte 4",
                // Texts.
                "%s; st.local.u64 [%rd4], %rd7@ st.local.u8 [%rd6], 65@ ; text",
                "%s; st.local.u64 [%rd4], %rd7@ st.local.u8 [%rd6+1], 65@ ; never wrote byte 0",
                "%.2s; st.local.u64 [%rd4], %rd7@ st.local.u8 [%rd6], 65@ ; text",
                "%s; mov.u64 %rd8, tile@ st.shared.u8 [%rd8], 65@ cvta.shared.u64 %rd8, %rd8@"
                        + " st.local.u64 [%rd4], %rd8@ ; tile",
                "%s; mov.u64 %rd8, tile@ st.shared.u8 [%rd8], %r1@ st.shared.u8 [%rd8+1], 0@"
                        + " cvta.shared.u64 %rd8, %rd8@ st.local.u64 [%rd4], %rd8@ ; %r1",
                // The format, and arguments of a call.
                "x; mov.u64 %rd2, %rd7@ ; text",
                "x; mov.u64 %rd2, %rd8@ ; p0",
                "x; { .param .b64 p0@ .param .b64 r0@ call.uni (r0), malloc, (p0)@ } ; p0",
                "x; { .param .b64 p0@ st.param.b64 [p0], %rd8@ .param .b64 r0@ call.uni (r0),"
                        + " malloc, (p0)@ } ; "
            })
    void isTold(String format, String body, String words) {
        String text = kernel(format, body == null ? "" : body.replace('@', ';'));
        for (Outcome outcome : run(text)) {
            assertThat(outcome.findings()).hasSize(1);
            assertThat(outcome.findings().getFirst().rule())
                    .isIn(Rule.UNINITIALIZED_READ, Rule.UNINITIALIZED_REGISTER);
            assertThat(outcome.findings().getFirst().message())
                    .contains(words == null ? "" : words);
        }
    }

    @DisplayName("what the format does not take need not be written")
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "x; ; x",
                "100%%; ; 100%",
                "%d; st.local.u32 [%rd4], 7@ ; 7",
                // Padding between arguments, and what is behind the last one.
                "%d %lld; st.local.u32 [%rd4], 7@ st.local.u64 [%rd4+8], 8@ ; 7 8",
                "%c; st.local.u8 [%rd4], 65@ ; A",
                "%hhd; st.local.u8 [%rd4], 255@ ; -1",
                "%hx; st.local.u16 [%rd4], 65535@ ; ffff",
                "%f; mov.f64 %fd1, 0d3FF8000000000000@ st.local.f64 [%rd4], %fd1@ ; 1.500000",
                "%s; st.local.u64 [%rd4], %rd5@ ; abc",
                "%.2s; st.local.u64 [%rd4], %rd7@ st.local.u8 [%rd6], 65@ st.local.u8 [%rd6+1], 66@"
                        + " ; AB",
                "<%.0s>; st.local.u64 [%rd4], %rd7@ ; <>",
                "<%s>; mov.u64 %rd8, zeros@ cvta.global.u64 %rd8, %rd8@ st.local.u64 [%rd4], %rd8@"
                        + " ; <>",
                "%s; mov.u64 %rd8, fixed@ cvta.const.u64 %rd8, %rd8@ st.local.u64 [%rd4], %rd8@ ;"
                        + " xy",
                "%s; mov.u64 %rd8, tile@ st.shared.u16 [%rd8], 65@ cvta.shared.u64 %rd8, %rd8@"
                        + " st.local.u64 [%rd4], %rd8@ ; A",
                // A word of which some bits are undefined, but none that is printed.
                "%hhd; and.b32 %r2, %r1, 0xffffff00@ or.b32 %r2, %r2, 5@ st.local.u32 [%rd4], %r2@"
                        + " ; 5",
                "%d; { .param .b64 p0@ st.param.b64 [p0], 16@ .param .b64 r0@ call.uni (r0),"
                        + " malloc, (p0)@ } st.local.u32 [%rd4], 1@ ; 1"
            })
    void isSound(String format, String body, String printed) {
        String text = kernel(format, body == null ? "" : body.replace('@', ';'));
        for (Outcome outcome : run(text)) {
            assertThat(outcome.findings()).isEmpty();
            assertThat(outcome.output()).isEqualTo(printed);
        }
    }

    @DisplayName("as by a failed assertion")
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void assertions(boolean written) {
        String body =
                """
                %s
                { .param .b64 a; st.param.b64 [a], %%rd5; .param .b64 b; st.param.b64 [b], %%rd7;
                .param .b32 c; st.param.b32 [c], 7; .param .b64 d; st.param.b64 [d], %%rd5;
                .param .b64 e; st.param.b64 [e], 1;
                call.uni __assertfail, (a, b, c, d, e); }
                """
                        .formatted(written ? "st.local.u16 [%rd6], 65;" : "");
        for (Outcome outcome : run(kernel("x", body))) {
            assertThat(outcome.findings().getFirst().rule())
                    .isEqualTo(written ? Rule.ASSERTION_FAILED : Rule.UNINITIALIZED_READ);
        }
    }

    @DisplayName("texts are bytes of UTF-8, of which a precision counts some")
    @ParameterizedTest
    @ValueSource(strings = {"äb"})
    void precision(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        String body =
                "st.local.u64 [%rd4], %rd7;"
                        + IntStream.range(0, bytes.length)
                                .mapToObj(
                                        i ->
                                                "st.local.u8 [%%rd6+%d], %d;"
                                                        .formatted(i, bytes[i] & 0xff))
                                .collect(Collectors.joining());
        for (Outcome outcome : run(kernel("%.3s", body))) {
            assertThat(outcome.output()).isEqualTo(text);
        }
    }
}
