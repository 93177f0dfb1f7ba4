/// Whole sparse matrices: pruned, compressed, converted between the formats of libraries.
module dev.heddle.sparse {
    requires transitive dev.heddle.files;
    requires transitive dev.heddle.isa;
    requires static transitive org.jspecify;
    requires tools.jackson.jr.ob;

    exports dev.heddle.sparse;
}
