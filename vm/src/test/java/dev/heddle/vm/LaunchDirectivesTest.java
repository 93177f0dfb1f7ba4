package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("PTX ISA 11.4, 11.7: a launch that the driver refuses is refused here")
final class LaunchDirectivesTest {
    private static Kernel kernel(String directives) {
        return Kernel.of(
                """
                .version 8.0
                .target sm_90
                .address_size 64
                .visible .entry k() %s { ret; }
                """
                        .formatted(directives),
                "k.ptx",
                "k");
    }

    private static Launch launch(String grid, String block, String cluster) {
        int[] g = extents(grid);
        int[] b = extents(block);
        Launch launch = Launch.grid(g[0], g[1], g[2]).block(b[0], b[1], b[2]);
        if (cluster == null) {
            return launch;
        }
        int[] c = extents(cluster);
        return launch.cluster(c[0], c[1], c[2]);
    }

    private static int[] extents(String text) {
        int[] extents = {1, 1, 1};
        String[] parts = text.split(" ", -1);
        for (int i = 0; i < parts.length; i++) {
            extents[i] = Integer.parseInt(parts[i]);
        }
        return extents;
    }

    @ParameterizedTest(name = "{0}: grid {1}, block {2}, cluster {3}")
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            textBlock =
                    """
                    .reqntid 128               | 1     | 32       | -     | has .reqntid 128,1,1, the launch a block of 32,1,1: they must be equal (PTX ISA 11.4.3)
                    .reqntid 16, 16            | 1     | 256      | -     | has .reqntid 16,16,1, the launch a block of 256,1,1
                    .maxntid 64                | 1     | 96       | -     | has .maxntid, 64 threads at most, the launch a block of 96,1,1, 96 threads (PTX ISA 11.4.2)
                    .maxntid 8, 8              | 1     | 8 9      | -     | 64 threads at most
                    .minnctapersm 1            | 1     | 2048     | -     | a CTA of 2048 threads: at most 1024
                    .reqnctapercluster 2       | 3     | 32       | -     | a grid of 3,1,1 in clusters of 2,1,1: every extent must be a multiple of the cluster's (PTX ISA 2.2.2)
                    .reqnctapercluster 2       | 4     | 32       | 4     | has .reqnctapercluster 2,1,1, the launch clusters of 4,1,1: they must be equal (PTX ISA 11.7.1)
                    .maxclusterrank 4          | 16    | 32       | 8     | clusters of 8,1,1, 8 CTAs: k has at most 4 in a cluster (PTX ISA 11.7.3)
                    .minnctapersm 1            | 32    | 32       | 32    | at most 16 in a cluster
                    .minnctapersm 1            | 4 3   | 32       | 2 2   | every extent must be a multiple
                    .explicitcluster           | 4     | 32       | -     | has .explicitcluster: the launch must say its clusters (PTX ISA 11.7.2)
                    """)
    void isRefused(String directives, String grid, String block, String cluster, String message) {
        assertThat(message).isNotBlank();
        org.assertj.core.api.Assertions.assertThatThrownBy(
                        () -> kernel(directives).requireFit(launch(grid, block, cluster)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest(name = "{0}: grid {1}, block {2}, cluster {3}")
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            textBlock =
                    """
                    .reqntid 128               | 1     | 128      | -
                    .reqntid 16, 16            | 1     | 16 16    | -
                    .maxntid 8, 8              | 1     | 64       | -
                    .reqnctapercluster 2       | 4     | 32       | -
                    .reqnctapercluster 2       | 4     | 32       | 2
                    .maxclusterrank 4          | 16    | 32       | 4
                    .explicitcluster           | 4     | 32       | 1
                    .maxnreg 32                | 4 3 2 | 32       | 2 3 2
                    """)
    void isTaken(String directives, String grid, String block, String cluster) {
        assertThatCode(() -> kernel(directives).requireFit(launch(grid, block, cluster)))
                .doesNotThrowAnyException();
    }
}
