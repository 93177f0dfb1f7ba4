/// The NVIDIA driver through foreign functions: PTX on a real GPU, without a native library of
/// our own.
///
/// [Driver#load] opens `libcuda.so.1`. From there: a [Device], its [Context], in it modules
/// compiled from PTX text, memory, streams and events; each is closed by its owner, or by its
/// context. An error is a [DriverException] with the driver's words; a machine without a driver
/// gives a [DriverUnavailableException], and nothing else of Heddle notices.
///
/// ```java
/// try (Context gpu = Driver.load().device(0).open();
///         CudaModule module = gpu.load(ptx);
///         DeviceMemory data = gpu.allocate(bytes)) {
///     module.function("scale")
///             .launch(LaunchShape.linear(16, 256), Arguments.builder().address(data).build());
///     gpu.synchronize();
///     byte[] result = data.toByteArray();
/// }
/// ```
@NullMarked
package dev.heddle.cuda;

import org.jspecify.annotations.NullMarked;
