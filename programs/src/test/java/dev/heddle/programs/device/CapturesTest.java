package dev.heddle.programs.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.programs.device.Capture.Mode;
import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.Shortcut;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

@DisplayName("CUDA Runtime API, cudaThreadExchangeStreamCaptureMode: who may make unsafe calls")
final class CapturesTest {
    private final Streams streams = new Streams(() -> 0, Shortcut.unused(), new Contexts(_ -> {}));
    private final Stream stream = streams.create(Streams.NON_BLOCKING, 0);

    @ParameterizedTest
    @CsvSource({
        "GLOBAL, GLOBAL, false, false",
        "GLOBAL, THREAD_LOCAL, false, true",
        "GLOBAL, RELAXED, true, true",
        "THREAD_LOCAL, GLOBAL, false, true",
        "THREAD_LOCAL, THREAD_LOCAL, false, true",
        "THREAD_LOCAL, RELAXED, true, true",
        "RELAXED, GLOBAL, true, true",
        "RELAXED, THREAD_LOCAL, true, true",
        "RELAXED, RELAXED, true, true"
    })
    void itsOwnThreadAndAnother(Mode capture, Mode thread, boolean own, boolean other)
            throws InterruptedException {
        assertThat(mayCall(capture, thread, false)).isEqualTo(own);
        assertThat(mayCall(capture, thread, true)).isEqualTo(other);
    }

    private boolean mayCall(Mode mode, Mode thread, boolean elsewhere) throws InterruptedException {
        streams.capture(stream, mode, new Graph(), List.of());
        ThrowingCallable unsafe =
                () -> {
                    Mode before = streams.captures().exchange(thread);
                    try {
                        streams.captures().requireSafe();
                    } finally {
                        assertThat(streams.captures().exchange(before)).isEqualTo(thread);
                    }
                };
        boolean[] refused = new boolean[1];
        Runnable call = () -> refused[0] = isRefused(unsafe);
        if (elsewhere) {
            Thread.ofPlatform().start(call).join();
        } else {
            call.run();
        }
        ThrowingCallable end = () -> streams.captures().end(stream);
        if (refused[0]) {
            assertThatThrownBy(end).isInstanceOf(CudaException.class);
        } else {
            assertThatCode(end).doesNotThrowAnyException();
        }
        return !refused[0];
    }

    private static boolean isRefused(ThrowingCallable call) {
        try {
            call.call();
            return false;
        } catch (CudaException _) {
            return true;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}
