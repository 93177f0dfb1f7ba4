package dev.heddle.programs.runtime;

import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.device.UserObject;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;

/// CUDA Runtime API 6.30, Graph Management: objects of the program's that graphs hold.
public record UserObjectFunctions(GraphHandles handles) {
    /// `cudaUserObjectNoDestructorSync`, which must be said.
    private static final int NO_DESTRUCTOR_SYNC = 1;

    /// `cudaGraphUserObjectMove`.
    private static final int MOVE = 1;

    private static void requireSome(int count) {
        refuseIf(count <= 0, ErrorCode.INVALID_VALUE);
    }

    /// An object, of which the caller has so many references.
    public void cudaUserObjectCreate(long into, long data, long destroy, int count, int flags) {
        requireSome(count);
        refuseIf(destroy == 0 || flags != NO_DESTRUCTOR_SYNC, ErrorCode.INVALID_VALUE);
        Runnable call = LaunchFunctions.call(destroy, data);
        Host.putLong(into, handles.handle(new UserObject(call, count)));
    }

    /// The caller has so many references more.
    public void cudaUserObjectRetain(long object, int count) {
        requireSome(count);
        handles.userObject(object).retain(count);
    }

    /// The caller has so many references less.
    public void cudaUserObjectRelease(long object, int count) {
        requireSome(count);
        handles.userObject(object).release(count);
    }

    /// A graph has so many references more: new ones, or the caller's.
    public void cudaGraphRetainUserObject(long graph, long object, int count, int flags) {
        requireSome(count);
        refuseIf((flags & ~MOVE) != 0, ErrorCode.INVALID_VALUE);
        UserObject held = handles.userObject(object);
        handles.graph(graph).hold(held, count);
        if (flags != MOVE) {
            held.retain(count);
        }
    }

    /// A graph has so many references less.
    public void cudaGraphReleaseUserObject(long graph, long object, int count) {
        requireSome(count);
        handles.graph(graph).release(handles.userObject(object), count);
    }
}
