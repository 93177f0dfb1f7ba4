/// Where things lie, as maps between named axes.
module dev.heddle.layout {
    requires static transitive org.jspecify;

    exports dev.heddle.layout;
}
