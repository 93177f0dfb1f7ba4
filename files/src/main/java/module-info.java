/// Files of tensors: npy and safetensors.
module dev.heddle.files {
    requires transitive dev.heddle.formats;
    requires static transitive org.jspecify;
    requires tools.jackson.jr.ob;

    exports dev.heddle.files;
}
