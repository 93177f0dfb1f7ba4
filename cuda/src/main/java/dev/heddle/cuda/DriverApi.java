package dev.heddle.cuda;

import static dev.heddle.cuda.ForeignFunction.Type.BYTE;
import static dev.heddle.cuda.ForeignFunction.Type.INT;
import static dev.heddle.cuda.ForeignFunction.Type.LONG;
import static dev.heddle.cuda.ForeignFunction.Type.POINTER;

import java.lang.invoke.MethodHandle;

/// The functions of the CUDA driver API that Heddle calls, under their documented names.
///
/// Where the driver exports several revisions of a function, the symbol names the one whose
/// signature is here (64-bit sizes: `_v2`), as the vendor's header does by macro.
record DriverApi(
        @ForeignFunction(INT) MethodHandle cuInit,
        @ForeignFunction(POINTER) MethodHandle cuDriverGetVersion,
        @ForeignFunction({INT, POINTER}) MethodHandle cuGetErrorName,
        @ForeignFunction({INT, POINTER}) MethodHandle cuGetErrorString,
        @ForeignFunction(POINTER) MethodHandle cuDeviceGetCount,
        @ForeignFunction({POINTER, INT}) MethodHandle cuDeviceGet,
        @ForeignFunction({POINTER, INT, INT}) MethodHandle cuDeviceGetName,
        @ForeignFunction({POINTER, INT, INT}) MethodHandle cuDeviceGetAttribute,
        @ForeignFunction(
                        value = {POINTER, INT},
                        symbol = "cuDeviceTotalMem_v2")
                MethodHandle cuDeviceTotalMem,
        @ForeignFunction({POINTER, INT}) MethodHandle cuDevicePrimaryCtxRetain,
        @ForeignFunction(value = INT, symbol = "cuDevicePrimaryCtxRelease_v2")
                MethodHandle cuDevicePrimaryCtxRelease,
        @ForeignFunction(POINTER) MethodHandle cuCtxSetCurrent,
        @ForeignFunction({}) MethodHandle cuCtxSynchronize,
        @ForeignFunction({POINTER, POINTER, INT, POINTER, POINTER}) MethodHandle cuModuleLoadDataEx,
        @ForeignFunction(POINTER) MethodHandle cuModuleUnload,
        @ForeignFunction({POINTER, POINTER, POINTER}) MethodHandle cuModuleGetFunction,
        @ForeignFunction(
                        value = {POINTER, POINTER, POINTER, POINTER},
                        symbol = "cuModuleGetGlobal_v2")
                MethodHandle cuModuleGetGlobal,
        @ForeignFunction({POINTER, INT, POINTER}) MethodHandle cuFuncGetAttribute,
        @ForeignFunction({POINTER, INT, INT}) MethodHandle cuFuncSetAttribute,
        @ForeignFunction({POINTER, INT, INT, INT, INT, INT, INT, INT, POINTER, POINTER, POINTER})
                MethodHandle cuLaunchKernel,
        @ForeignFunction({POINTER, POINTER, POINTER, POINTER}) MethodHandle cuLaunchKernelEx,
        @ForeignFunction(
                        value = {POINTER, LONG},
                        symbol = "cuMemAlloc_v2")
                MethodHandle cuMemAlloc,
        @ForeignFunction(value = LONG, symbol = "cuMemFree_v2") MethodHandle cuMemFree,
        @ForeignFunction(
                        value = {POINTER, LONG},
                        symbol = "cuMemAllocHost_v2")
                MethodHandle cuMemAllocHost,
        @ForeignFunction(POINTER) MethodHandle cuMemFreeHost,
        @ForeignFunction(
                        value = {LONG, POINTER, LONG},
                        symbol = "cuMemcpyHtoD_v2")
                MethodHandle cuMemcpyHtoD,
        @ForeignFunction(
                        value = {POINTER, LONG, LONG},
                        symbol = "cuMemcpyDtoH_v2")
                MethodHandle cuMemcpyDtoH,
        @ForeignFunction(
                        value = {LONG, POINTER, LONG, POINTER},
                        symbol = "cuMemcpyHtoDAsync_v2")
                MethodHandle cuMemcpyHtoDAsync,
        @ForeignFunction(
                        value = {POINTER, LONG, LONG, POINTER},
                        symbol = "cuMemcpyDtoHAsync_v2")
                MethodHandle cuMemcpyDtoHAsync,
        @ForeignFunction({LONG, BYTE, LONG, POINTER}) MethodHandle cuMemsetD8Async,
        @ForeignFunction({LONG, INT, LONG, POINTER}) MethodHandle cuMemsetD32Async,
        @ForeignFunction({POINTER, INT}) MethodHandle cuStreamCreate,
        @ForeignFunction(POINTER) MethodHandle cuStreamSynchronize,
        @ForeignFunction(value = POINTER, symbol = "cuStreamDestroy_v2")
                MethodHandle cuStreamDestroy,
        @ForeignFunction({POINTER, INT}) MethodHandle cuEventCreate,
        @ForeignFunction({POINTER, POINTER}) MethodHandle cuEventRecord,
        @ForeignFunction(POINTER) MethodHandle cuEventSynchronize,
        @ForeignFunction(POINTER) MethodHandle cuEventQuery,
        @ForeignFunction({POINTER, POINTER, POINTER}) MethodHandle cuEventElapsedTime,
        @ForeignFunction(value = POINTER, symbol = "cuEventDestroy_v2") MethodHandle cuEventDestroy,
        @ForeignFunction({
                    POINTER, INT, INT, LONG, POINTER, POINTER, POINTER, POINTER, INT, INT, INT, INT
                })
                MethodHandle cuTensorMapEncodeTiled,
        @ForeignFunction({
                    POINTER, INT, INT, LONG, POINTER, POINTER, POINTER, POINTER, INT, INT, POINTER,
                    INT, INT, INT, INT
                })
                MethodHandle cuTensorMapEncodeIm2col,
        @ForeignFunction(
                        value = {POINTER, POINTER},
                        symbol = "cuArray3DCreate_v2")
                MethodHandle cuArray3DCreate,
        @ForeignFunction(POINTER) MethodHandle cuArrayDestroy,
        @ForeignFunction({POINTER, POINTER, INT}) MethodHandle cuMipmappedArrayCreate,
        @ForeignFunction({POINTER, POINTER, INT}) MethodHandle cuMipmappedArrayGetLevel,
        @ForeignFunction(POINTER) MethodHandle cuMipmappedArrayDestroy,
        @ForeignFunction(value = POINTER, symbol = "cuMemcpy3D_v2") MethodHandle cuMemcpy3D,
        @ForeignFunction({POINTER, POINTER, POINTER, POINTER}) MethodHandle cuTexObjectCreate,
        @ForeignFunction(LONG) MethodHandle cuTexObjectDestroy,
        @ForeignFunction({POINTER, POINTER}) MethodHandle cuSurfObjectCreate,
        @ForeignFunction(LONG) MethodHandle cuSurfObjectDestroy) {}
