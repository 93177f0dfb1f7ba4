package dev.heddle.programs.host;

/// Codes of `cudaError_t` that functions here answer; most are those of `CUresult`, too.
public final class ErrorCode {
    /// `cudaSuccess`.
    public static final int SUCCESS = 0;

    /// `cudaErrorInvalidValue`.
    public static final int INVALID_VALUE = 1;

    /// `cudaErrorMemoryAllocation`.
    public static final int MEMORY_ALLOCATION = 2;

    /// `cudaErrorInitializationError`.
    public static final int INITIALIZATION_ERROR = 3;

    /// `cudaErrorInvalidPitchValue`.
    public static final int INVALID_PITCH_VALUE = 12;

    /// `cudaErrorInvalidSymbol`.
    public static final int INVALID_SYMBOL = 13;

    /// `cudaErrorInvalidChannelDescriptor`.
    public static final int INVALID_CHANNEL_DESCRIPTOR = 20;

    /// `cudaErrorInvalidMemcpyDirection`.
    public static final int INVALID_MEMCPY_DIRECTION = 21;

    /// `cudaErrorInvalidFilterSetting`.
    public static final int INVALID_FILTER_SETTING = 26;

    /// `cudaErrorInvalidNormSetting`.
    public static final int INVALID_NORM_SETTING = 27;

    /// `cudaErrorInvalidDeviceFunction`.
    public static final int INVALID_DEVICE_FUNCTION = 98;

    /// `cudaErrorInvalidDevice`.
    public static final int INVALID_DEVICE = 101;

    /// `cudaErrorInvalidKernelImage`.
    public static final int INVALID_KERNEL_IMAGE = 200;

    /// `cudaErrorMapBufferObjectFailed`.
    public static final int MAP_FAILED = 205;

    /// `CUDA_ERROR_INVALID_CONTEXT`, `cudaErrorDeviceUninitialized`.
    public static final int INVALID_CONTEXT = 201;

    /// `cudaErrorNoKernelImageForDevice`.
    public static final int NO_KERNEL_IMAGE_FOR_DEVICE = 209;

    /// `cudaErrorUnsupportedLimit`.
    public static final int UNSUPPORTED_LIMIT = 215;

    /// `cudaErrorPeerAccessUnsupported`.
    public static final int PEER_ACCESS_UNSUPPORTED = 217;

    /// `cudaErrorInvalidPtx`.
    public static final int INVALID_PTX = 218;

    /// `CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY`.
    public static final int UNSUPPORTED_EXEC_AFFINITY = 224;

    /// `cudaErrorInvalidResourceHandle`.
    public static final int INVALID_RESOURCE_HANDLE = 400;

    /// `cudaErrorSymbolNotFound`.
    public static final int SYMBOL_NOT_FOUND = 500;

    /// `cudaErrorNotReady`.
    public static final int NOT_READY = 600;

    /// `cudaErrorIllegalAddress`.
    public static final int ILLEGAL_ADDRESS = 700;

    /// `cudaErrorLaunchOutOfResources`.
    public static final int LAUNCH_OUT_OF_RESOURCES = 701;

    /// `cudaErrorLaunchTimeout`.
    public static final int LAUNCH_TIMEOUT = 702;

    /// `cudaErrorPeerAccessNotEnabled`.
    public static final int PEER_ACCESS_NOT_ENABLED = 705;

    /// `CUDA_ERROR_CONTEXT_IS_DESTROYED`, `cudaErrorContextIsDestroyed`.
    public static final int CONTEXT_IS_DESTROYED = 709;

    /// `cudaErrorAssert`.
    public static final int ASSERT = 710;

    /// `cudaErrorHostMemoryAlreadyRegistered`.
    public static final int HOST_MEMORY_ALREADY_REGISTERED = 712;

    /// `cudaErrorHostMemoryNotRegistered`.
    public static final int HOST_MEMORY_NOT_REGISTERED = 713;

    /// `cudaErrorIllegalInstruction`.
    public static final int ILLEGAL_INSTRUCTION = 715;

    /// `cudaErrorMisalignedAddress`.
    public static final int MISALIGNED_ADDRESS = 716;

    /// `cudaErrorLaunchFailure`.
    public static final int LAUNCH_FAILURE = 719;

    /// `cudaErrorCooperativeLaunchTooLarge`.
    public static final int COOPERATIVE_LAUNCH_TOO_LARGE = 720;

    /// `cudaErrorNotSupported`.
    public static final int NOT_SUPPORTED = 801;

    /// `cudaErrorStreamCaptureUnsupported`.
    public static final int STREAM_CAPTURE_UNSUPPORTED = 900;

    /// `cudaErrorStreamCaptureInvalidated`.
    public static final int STREAM_CAPTURE_INVALIDATED = 901;

    /// `cudaErrorStreamCaptureUnmatched`.
    public static final int STREAM_CAPTURE_UNMATCHED = 903;

    /// `cudaErrorStreamCaptureUnjoined`.
    public static final int STREAM_CAPTURE_UNJOINED = 904;

    /// `cudaErrorStreamCaptureIsolation`.
    public static final int STREAM_CAPTURE_ISOLATION = 905;

    /// `cudaErrorStreamCaptureImplicit`.
    public static final int STREAM_CAPTURE_IMPLICIT = 906;

    /// `cudaErrorCapturedEvent`.
    public static final int CAPTURED_EVENT = 907;

    /// `cudaErrorIllegalState`.
    public static final int ILLEGAL_STATE = 401;

    /// `cudaErrorInvalidClusterSize`.
    public static final int INVALID_CLUSTER_SIZE = 912;

    /// `cudaErrorUnknown`.
    public static final int UNKNOWN = 999;

    private ErrorCode() {}
}
