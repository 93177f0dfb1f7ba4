/// Figures of layouts, and the page that serves them.
module dev.heddle.explorer {
    requires dev.heddle.ptx;
    requires transitive dev.heddle.tensorcore;
    requires jdk.httpserver;
    requires static transitive org.jspecify;
    requires tools.jackson.jr.ob;

    exports dev.heddle.explorer;
    exports dev.heddle.explorer.code;
}
