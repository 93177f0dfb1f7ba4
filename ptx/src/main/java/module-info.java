/// PTX text: read and checked against the manual.
module dev.heddle.ptx {
    requires transitive dev.heddle.isa;
    requires static transitive org.jspecify;

    exports dev.heddle.ptx;
    exports dev.heddle.ptx.check;
    exports dev.heddle.ptx.instruction;
}
