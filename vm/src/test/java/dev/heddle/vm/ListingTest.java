package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.vm.ir.Listing;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

@DisplayName("the listing of a code")
final class ListingTest {
    private static final String EXAMPLE =
            """
            .version 8.3
            .target sm_90
            .address_size 64
            .visible .entry k() {
            .reg .pred %p<2>; .reg .b32 %r<2>;
            @%p1 bra L;
            add.s32 %r1, %r1, 1;
            L: ret;
            }
            """;

    private static String listing(String text) {
        return Listing.of(Kernel.of(text, "k.ptx", "k").code());
    }

    @Test
    @DisplayName("names the kernel, and the line and words of each instruction")
    void givesPlaces() {
        assertThat(listing(EXAMPLE).lines()).first().asString().startsWith("kernel k()");
        assertThat(listing(EXAMPLE))
                .containsPattern("branch %p1 -> 2 else 1 +; 6: bra\\n")
                .containsPattern("%r1 = add.b32 %r1, 1 +; 7: add.s32\\n")
                .containsPattern("return +; 8: ret\\n");
    }

    @Test
    @DisplayName("the worked example of the package's essay is what the machine makes of it")
    void essayIsTrue() throws IOException {
        String essay =
                Files.readString(Path.of("src/main/java/dev/heddle/vm/ir/package-info.java"));
        String example = essay.substring(essay.indexOf("Worked example:"));
        String shown =
                example.substring(example.indexOf("```") + 4, example.lastIndexOf("```"))
                        .replaceAll("(?m)^/// ?", "");
        String body = listing(EXAMPLE).replaceFirst(".*\\n", "").replaceAll(" *;.*", "");
        assertThat(body.strip()).isEqualTo(shown.strip());
    }
}
