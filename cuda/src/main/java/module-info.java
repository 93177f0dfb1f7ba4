/// The GPU through the CUDA driver: the same launches, and the recorder of golden vectors.
module dev.heddle.cuda {
    requires transitive dev.heddle.vm;
    requires static transitive org.jspecify;

    exports dev.heddle.cuda;
    exports dev.heddle.cuda.golden;
}
