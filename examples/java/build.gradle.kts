plugins { java }

repositories {
    mavenLocal() // Heddle, until a version is published
    mavenCentral()
}

dependencies {
    implementation("dev.heddle:heddle-junit:0.1.0-SNAPSHOT")
    testImplementation("org.junit.jupiter:junit-jupiter:6.1.3")
    testRuntimeOnly("org.junit.platform:junit-platform-launcher:6.1.3")
}

java { toolchain { languageVersion = JavaLanguageVersion.of(25) } }

tasks.test {
    useJUnitPlatform()
    // Kernels run on vectors, and on a GPU where there is one.
    jvmArgs("--add-modules", "jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED")
    systemProperty("kernel", findProperty("kernel") ?: "block-sum.ptx")
}
