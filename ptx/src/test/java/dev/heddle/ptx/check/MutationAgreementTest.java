package dev.heddle.ptx.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;

@DisplayName("Verdicts agree with ptxas on one-place mutations of compiled kernels")
final class MutationAgreementTest {

    @Test
    void nearlyAllVerdictsAgree() throws IOException, InterruptedException {
        Assumptions.assumeTrue(Assembler.isPresent(), "no ptxas on this machine");
        int count = Integer.getInteger("heddle.mutations", 60);
        List<MutationCampaign.Result> results =
                MutationCampaign.run(count, Long.getLong("heddle.mutations.seed", 1));
        List<MutationCampaign.Result> disagreements =
                results.stream().filter(result -> !result.agrees()).toList();
        assertThat(disagreements).hasSizeLessThanOrEqualTo(count / 50 + 1);
    }
}
