package dev.heddle.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;

import dev.heddle.explorer.Api;

import org.junit.jupiter.params.provider.MethodSource;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/// Questions that the page's server is asked: a name, and values after it.
final class PageFuzzTest {

    @MethodSource("seeds")
    @FuzzTest(maxDuration = "20m")
    void answer(byte[] bytes) {
        String[] parts = new String(bytes, StandardCharsets.UTF_8).split("&", -1);
        Map<String, String> values = new HashMap<>();
        for (int i = 1; i < parts.length; i++) {
            String[] pair = parts[i].split("=", 2);
            values.put(pair[0], pair.length > 1 ? pair[1] : "");
        }
        int status = new Api().answer(parts[0], values).status();
        if (status != 200 && status != 400 && status != 404) {
            throw new AssertionError("status " + status);
        }
    }

    static Stream<byte[]> seeds() {
        String form = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
        String sparse = "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32";
        return Stream.of(
                        "catalogue",
                        "form&form=" + form,
                        "operand&form=" + sparse + "&operand=e&selector=1",
                        "figure&form=" + form + "&operand=a",
                        "where&form=" + form + "&operand=a&row=9&column=10",
                        "instruction&text=" + form + " {a}, {b}, {c}, {d};",
                        "shared&form=wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16&swizzle=128",
                        "execution&form=" + form + "&generation=sm_90&seed=1")
                .map(text -> text.getBytes(StandardCharsets.UTF_8));
    }
}
