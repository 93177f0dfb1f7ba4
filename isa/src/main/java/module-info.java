/// What the matrix instructions of PTX are: forms, fragments, metadata, rules.
module dev.heddle.isa {
    requires transitive dev.heddle.formats;
    requires transitive dev.heddle.layout;
    requires static transitive org.jspecify;

    exports dev.heddle.isa;
    exports dev.heddle.isa.rule;
    exports dev.heddle.isa.search;
}
