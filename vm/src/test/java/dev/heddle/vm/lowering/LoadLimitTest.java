package dev.heddle.vm.lowering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.ptx.LoadLimit;
import dev.heddle.ptx.Parsed;
import dev.heddle.ptx.Ptx;
import dev.heddle.ptx.check.BoundModule;
import dev.heddle.ptx.check.Check;
import dev.heddle.vm.ir.Program;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.time.Duration;

@DisplayName("Each step from text to program ends with the time that the module may take")
final class LoadLimitTest {
    private static final Duration OVER = Duration.ofNanos(1);

    private static final String TEXT =
            """
            .version 8.7
            .target sm_90
            .address_size 64
            .visible .entry k()
            {
            .reg .b32 %r<3>;
            .reg .pred %p;
            L:
            add.s32 %r1, %r1, %r2;
            setp.eq.s32 %p, %r1, 0;
            @%p bra L;
            ret;
            }
            """;

    private static void assertEnds(ScopedValue.CallableOp<?, RuntimeException> step) {
        ThrowingCallable within = () -> LoadLimit.within("k.ptx", OVER, step);
        assertThatThrownBy(within)
                .isInstanceOf(LoadLimit.Exceeded.class)
                .hasMessageStartingWith("k.ptx: parsing, checking and lowering it takes more than");
    }

    @Test
    void parsingEnds() {
        assertEnds(() -> Ptx.parse(TEXT, "k.ptx"));
    }

    @Test
    void bindingEnds() {
        Parsed parsed = Ptx.parse(TEXT, "k.ptx");
        assertEnds(() -> BoundModule.of(parsed));
    }

    @Test
    void checkingEnds() {
        Parsed parsed = Ptx.parse(TEXT, "k.ptx");
        assertEnds(() -> Check.parsed(parsed));
    }

    @Test
    void loweringAndInstrumentingEnd() {
        BoundModule bound = BoundModule.of(Ptx.parse(TEXT, "k.ptx"));
        assertEnds(() -> Lowering.lower(bound));
        Program program = Lowering.lower(bound);
        assertEnds(() -> DefinednessInstrumentation.of(program));
    }

    @Test
    void withoutALimitNothingEnds() {
        LoadLimit.check();
        assertThat(LoadLimit.within("k.ptx", Duration.ofMinutes(1), () -> 7)).isEqualTo(7);
    }

    @Test
    void aFullHeapIsSaidInWords() {
        ThrowingCallable full =
                () ->
                        LoadLimit.within(
                                "k.ptx",
                                Duration.ofMinutes(1),
                                () -> {
                                    throw new OutOfMemoryError("Java heap space");
                                });
        assertThatThrownBy(full)
                .isInstanceOf(LoadLimit.Exceeded.class)
                .hasMessageStartingWith("k.ptx: the Java heap is full (Java heap space)");
    }
}
