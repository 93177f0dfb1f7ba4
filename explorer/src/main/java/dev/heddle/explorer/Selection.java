package dev.heddle.explorer;

/// What an instruction selects among the lanes that could supply metadata or scale factors.
///
/// @param selector the sparsity selector
/// @param byteId   the byte-id of a scale factor
/// @param threadId the thread-id of a scale factor
public record Selection(int selector, int byteId, int threadId) {
    /// Everything 0, which is legal for every form.
    public static final Selection FIRST = new Selection(0, 0, 0);

    /// A sparsity selector.
    public static Selection selector(int selector) {
        return new Selection(selector, 0, 0);
    }

    /// The byte-id and thread-id of scale factors.
    public static Selection scale(int byteId, int threadId) {
        return new Selection(0, byteId, threadId);
    }
}
