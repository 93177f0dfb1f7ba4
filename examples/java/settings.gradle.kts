rootProject.name = "kernel-tests"
