package dev.heddle.programs.device;

/// The attributes of a stream (`cudaLaunchAttributeValue`): hints, which are kept and read back.
///
/// @param window a `cudaAccessPolicyWindow` as two addresses' worth and two words
/// @param policy a `cudaSynchronizationPolicy`; -1 where none was chosen, as an H100 answers
/// @param priority from 0, the least, down
/// @param domains the numbers of two memory domains, a byte each
/// @param domain which of them
public record StreamAttributes(
        AccessWindow window, int policy, int priority, int domains, int domain) {
    /// Which memory to keep in L2.
    ///
    /// @param base where it begins
    /// @param bytes how much it is
    /// @param hitRatio for what share of its accesses
    /// @param properties what to do with hits, and above that with misses
    public record AccessWindow(long base, long bytes, float hitRatio, long properties) {}

    /// Those of a new stream.
    static StreamAttributes of(int priority) {
        return new StreamAttributes(new AccessWindow(0, 0, 0, 0), -1, priority, 0x100, 0);
    }

    public StreamAttributes withWindow(AccessWindow told) {
        return new StreamAttributes(told, policy, priority, domains, domain);
    }

    public StreamAttributes withPolicy(int told) {
        return new StreamAttributes(window, told, priority, domains, domain);
    }

    public StreamAttributes withPriority(int told) {
        return new StreamAttributes(window, policy, told, domains, domain);
    }

    public StreamAttributes withDomains(int told) {
        return new StreamAttributes(window, policy, priority, told, domain);
    }

    public StreamAttributes withDomain(int told) {
        return new StreamAttributes(window, policy, priority, domains, told);
    }
}
