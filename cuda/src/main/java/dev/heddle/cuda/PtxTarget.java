package dev.heddle.cuda;

/// What a module is written for.
///
/// @param version the PTX version, `9.0`
/// @param name the target, `sm_90a`
public record PtxTarget(String version, String name) {
    /// The target of Hopper with its `wgmma`, in the newest PTX that a driver of CUDA 13.0
    /// compiles.
    public static final PtxTarget SM_90A = new PtxTarget("9.0", "sm_90a");

    /// The most that a device and its driver take: the newest PTX version of the driver's CUDA
    /// version, and the device's own target with its architecture-specific instructions.
    public static PtxTarget of(Device device) {
        return new PtxTarget(newest(device.driver().version()), specific(device.architecture()));
    }

    /// CUDA 12.0 to 12.9 brought PTX 8.0 to 8.8 (12.5 and 12.6 share 8.5), CUDA 13.x brings 9.x
    /// (PTX ISA 13, release notes).
    static String newest(Driver.Version cuda) {
        if (cuda.major() == 12) {
            return "8." + (cuda.minor() <= 5 ? cuda.minor() : cuda.minor() - 1);
        }
        return (cuda.major() - 4) + "." + cuda.minor();
    }

    private static String specific(String architecture) {
        return Integer.parseInt(architecture.substring("sm_".length())) >= 90
                ? architecture + "a"
                : architecture;
    }
}
