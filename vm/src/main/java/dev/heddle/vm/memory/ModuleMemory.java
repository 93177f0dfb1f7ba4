package dev.heddle.vm.memory;

/// Where in global memory the variables of modules are, the constant ones first.
public final class ModuleMemory {
    private final Buffers modules = new Buffers();
    private final Buffers constants = new Buffers();

    synchronized void add(Buffer module, long constantBytes) {
        modules.add(module);
        constants.add(new Buffer(module.name(), module.address(), constantBytes));
    }

    /// Whether a variable of a module, or a gap between two, lies at an address.
    public synchronized boolean hold(long address) {
        return modules.at(address) != null;
    }

    /// Whether what lies at an address is constant memory, which kernels only read.
    public synchronized boolean areConstant(long address) {
        return constants.at(address) != null;
    }
}
