package dev.heddle.ptx;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("PTX ISA 11.5.1: .loc")
final class SourceLinesTest {
    private static final SourceLines LINES =
            SourceLines.of(
                    Ptx.parse(
                                    """
                                    .version 8.0
                                    .target sm_80
                                    .address_size 64
                                    .visible .entry k()
                                    {
                                    .loc 1 10 3
                                    ret;
                                    .loc 2 20 5, function_name name, inlined_at 1 10 3
                                    ret;
                                    .loc 2 30 5, function_name name, inlined_at 2 20 5
                                    ret;
                                    .loc 2 40 5, function_name name, inlined_at 2 30 5
                                    .loc 2 50 5, function_name name, inlined_at 2 40 5
                                    .loc 2 0 5
                                    ret;
                                    .loc 1 11 3
                                    .loc 2 20 5, function_name name, inlined_at 1 11 3
                                    .loc 2 30 5, function_name name, inlined_at 2 20 5
                                    ret;
                                    }
                                    .file 1 "k.cu"
                                    .file 2 "f.h"
                                    .section .debug_str { name: .b8 102, 0 }
                                    """,
                                    "k.ptx")
                            .module());

    @Test
    @DisplayName("a line of the kernel, and lines of functions inlined there")
    void inlined() {
        assertThat(LINES.at(5)).isEmpty();
        assertThat(LINES.at(7)).isEqualTo("k.cu:10");
        assertThat(LINES.at(9)).isEqualTo("f.h:20, inlined at k.cu:10");
        assertThat(LINES.at(11)).isEqualTo("f.h:30, inlined at f.h:20, inlined at k.cu:10");
    }

    @Test
    @DisplayName("of many the innermost two and the kernel's own; line 0 changes nothing")
    void deep() {
        assertThat(LINES.at(15))
                .isEqualTo("f.h:50, inlined at f.h:40, inlined at ..., inlined at k.cu:10");
    }

    @Test
    @DisplayName("a function inlined twice: the place that was named last")
    void twice() {
        assertThat(LINES.at(19)).isEqualTo("f.h:30, inlined at f.h:20, inlined at k.cu:11");
    }
}
