/// Tests of kernels in JUnit.
module dev.heddle.junit {
    requires dev.heddle.cuda;
    requires transitive dev.heddle.vm;
    requires transitive org.junit.jupiter.api;
    requires static transitive org.jspecify;

    exports dev.heddle.junit;

    // JUnit makes the extension that a test's annotation names.
    opens dev.heddle.junit to
            org.junit.platform.commons;
}
