/// Runs PTX kernels on the CPU: memory, warps, scheduler, executors, checks.
module dev.heddle.vm {
    requires jdk.incubator.vector;
    requires transitive dev.heddle.files;
    requires transitive dev.heddle.ptx;
    requires transitive dev.heddle.sparse;
    requires transitive dev.heddle.tensorcore;
    requires static transitive org.jspecify;
    requires tools.jackson.core;

    exports dev.heddle.vm;
    exports dev.heddle.vm.advice;
    exports dev.heddle.vm.ir;
    exports dev.heddle.vm.launch;
    exports dev.heddle.vm.memory;
    exports dev.heddle.vm.report;
    exports dev.heddle.vm.texture;
    exports dev.heddle.vm.trace;
}
