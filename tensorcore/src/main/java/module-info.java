/// What the matrix instructions of PTX compute, generation by generation.
// The module that machine code is for is built later.
@SuppressWarnings("module")
module dev.heddle.tensorcore {
    requires jdk.incubator.vector;
    requires transitive dev.heddle.isa;
    requires static transitive org.jspecify;

    exports dev.heddle.tensorcore;
    exports dev.heddle.tensorcore.functions;
    exports dev.heddle.tensorcore.golden;
    exports dev.heddle.tensorcore.numerics;
    exports dev.heddle.tensorcore.x86 to
            dev.heddle.vm;
}
