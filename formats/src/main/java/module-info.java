/// Number formats of the tensor cores: bits and the values they stand for.
module dev.heddle.formats {
    requires static transitive org.jspecify;

    exports dev.heddle.formats;
}
