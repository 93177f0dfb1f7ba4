package dev.heddle.cuda;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// The functions of the CUDA driver API that Heddle calls, under their documented names.
///
/// Where the driver exports several revisions of a function, the symbol names the one whose
/// signature stands here (64-bit sizes: `_v2`), as the vendor's header does by macro.
record DriverApi(
        @ForeignFunction(int.class) MethodHandle cuInit,
        @ForeignFunction(MemorySegment.class) MethodHandle cuDriverGetVersion,
        @ForeignFunction({int.class, MemorySegment.class}) MethodHandle cuGetErrorName,
        @ForeignFunction({int.class, MemorySegment.class}) MethodHandle cuGetErrorString,
        @ForeignFunction(MemorySegment.class) MethodHandle cuDeviceGetCount,
        @ForeignFunction({MemorySegment.class, int.class}) MethodHandle cuDeviceGet,
        @ForeignFunction({MemorySegment.class, int.class, int.class}) MethodHandle cuDeviceGetName,
        @ForeignFunction({MemorySegment.class, int.class, int.class})
                MethodHandle cuDeviceGetAttribute,
        @ForeignFunction(
                        value = {MemorySegment.class, int.class},
                        symbol = "cuDeviceTotalMem_v2")
                MethodHandle cuDeviceTotalMem,
        @ForeignFunction({MemorySegment.class, int.class}) MethodHandle cuDevicePrimaryCtxRetain,
        @ForeignFunction(value = int.class, symbol = "cuDevicePrimaryCtxRelease_v2")
                MethodHandle cuDevicePrimaryCtxRelease,
        @ForeignFunction(MemorySegment.class) MethodHandle cuCtxSetCurrent,
        @ForeignFunction({}) MethodHandle cuCtxSynchronize,
        @ForeignFunction({
                    MemorySegment.class,
                    MemorySegment.class,
                    int.class,
                    MemorySegment.class,
                    MemorySegment.class
                })
                MethodHandle cuModuleLoadDataEx,
        @ForeignFunction(MemorySegment.class) MethodHandle cuModuleUnload,
        @ForeignFunction({MemorySegment.class, MemorySegment.class, MemorySegment.class})
                MethodHandle cuModuleGetFunction,
        @ForeignFunction(
                        value = {
                            MemorySegment.class,
                            MemorySegment.class,
                            MemorySegment.class,
                            MemorySegment.class
                        },
                        symbol = "cuModuleGetGlobal_v2")
                MethodHandle cuModuleGetGlobal,
        @ForeignFunction({MemorySegment.class, int.class, MemorySegment.class})
                MethodHandle cuFuncGetAttribute,
        @ForeignFunction({MemorySegment.class, int.class, int.class})
                MethodHandle cuFuncSetAttribute,
        @ForeignFunction({
                    MemorySegment.class,
                    int.class,
                    int.class,
                    int.class,
                    int.class,
                    int.class,
                    int.class,
                    int.class,
                    MemorySegment.class,
                    MemorySegment.class,
                    MemorySegment.class
                })
                MethodHandle cuLaunchKernel,
        @ForeignFunction({
                    MemorySegment.class,
                    MemorySegment.class,
                    MemorySegment.class,
                    MemorySegment.class
                })
                MethodHandle cuLaunchKernelEx,
        @ForeignFunction(
                        value = {MemorySegment.class, long.class},
                        symbol = "cuMemAlloc_v2")
                MethodHandle cuMemAlloc,
        @ForeignFunction(value = long.class, symbol = "cuMemFree_v2") MethodHandle cuMemFree,
        @ForeignFunction(
                        value = {MemorySegment.class, long.class},
                        symbol = "cuMemAllocHost_v2")
                MethodHandle cuMemAllocHost,
        @ForeignFunction(MemorySegment.class) MethodHandle cuMemFreeHost,
        @ForeignFunction(
                        value = {long.class, MemorySegment.class, long.class},
                        symbol = "cuMemcpyHtoD_v2")
                MethodHandle cuMemcpyHtoD,
        @ForeignFunction(
                        value = {MemorySegment.class, long.class, long.class},
                        symbol = "cuMemcpyDtoH_v2")
                MethodHandle cuMemcpyDtoH,
        @ForeignFunction(
                        value = {long.class, MemorySegment.class, long.class, MemorySegment.class},
                        symbol = "cuMemcpyHtoDAsync_v2")
                MethodHandle cuMemcpyHtoDAsync,
        @ForeignFunction(
                        value = {MemorySegment.class, long.class, long.class, MemorySegment.class},
                        symbol = "cuMemcpyDtoHAsync_v2")
                MethodHandle cuMemcpyDtoHAsync,
        @ForeignFunction({long.class, byte.class, long.class, MemorySegment.class})
                MethodHandle cuMemsetD8Async,
        @ForeignFunction({long.class, int.class, long.class, MemorySegment.class})
                MethodHandle cuMemsetD32Async,
        @ForeignFunction({MemorySegment.class, int.class}) MethodHandle cuStreamCreate,
        @ForeignFunction(MemorySegment.class) MethodHandle cuStreamSynchronize,
        @ForeignFunction(value = MemorySegment.class, symbol = "cuStreamDestroy_v2")
                MethodHandle cuStreamDestroy,
        @ForeignFunction({MemorySegment.class, int.class}) MethodHandle cuEventCreate,
        @ForeignFunction({MemorySegment.class, MemorySegment.class}) MethodHandle cuEventRecord,
        @ForeignFunction(MemorySegment.class) MethodHandle cuEventSynchronize,
        @ForeignFunction(MemorySegment.class) MethodHandle cuEventQuery,
        @ForeignFunction({MemorySegment.class, MemorySegment.class, MemorySegment.class})
                MethodHandle cuEventElapsedTime,
        @ForeignFunction(value = MemorySegment.class, symbol = "cuEventDestroy_v2")
                MethodHandle cuEventDestroy,
        @ForeignFunction({
                    MemorySegment.class,
                    int.class,
                    int.class,
                    long.class,
                    MemorySegment.class,
                    MemorySegment.class,
                    MemorySegment.class,
                    MemorySegment.class,
                    int.class,
                    int.class,
                    int.class,
                    int.class
                })
                MethodHandle cuTensorMapEncodeTiled,
        @ForeignFunction({
                    MemorySegment.class,
                    int.class,
                    int.class,
                    long.class,
                    MemorySegment.class,
                    MemorySegment.class,
                    MemorySegment.class,
                    MemorySegment.class,
                    int.class,
                    int.class,
                    MemorySegment.class,
                    int.class,
                    int.class,
                    int.class,
                    int.class
                })
                MethodHandle cuTensorMapEncodeIm2col,
        @ForeignFunction(
                        value = {MemorySegment.class, MemorySegment.class},
                        symbol = "cuArray3DCreate_v2")
                MethodHandle cuArray3DCreate,
        @ForeignFunction(MemorySegment.class) MethodHandle cuArrayDestroy,
        @ForeignFunction({MemorySegment.class, MemorySegment.class, int.class})
                MethodHandle cuMipmappedArrayCreate,
        @ForeignFunction({MemorySegment.class, MemorySegment.class, int.class})
                MethodHandle cuMipmappedArrayGetLevel,
        @ForeignFunction(MemorySegment.class) MethodHandle cuMipmappedArrayDestroy,
        @ForeignFunction(value = MemorySegment.class, symbol = "cuMemcpy3D_v2")
                MethodHandle cuMemcpy3D,
        @ForeignFunction({
                    MemorySegment.class,
                    MemorySegment.class,
                    MemorySegment.class,
                    MemorySegment.class
                })
                MethodHandle cuTexObjectCreate,
        @ForeignFunction(long.class) MethodHandle cuTexObjectDestroy,
        @ForeignFunction({MemorySegment.class, MemorySegment.class})
                MethodHandle cuSurfObjectCreate,
        @ForeignFunction(long.class) MethodHandle cuSurfObjectDestroy) {}
