/* Records the kernels that a program launches on a GPU as launch files of `heddle run`.
 *
 *   cc -O2 -shared -fPIC -o record-launches.so record-launches.c -ldl
 *   RECORD=FOLDER LD_PRELOAD=$PWD/record-launches.so PROGRAM
 *
 * FOLDER gets launch-1.json and so on, with the buffers that the parameters point to, before and
 * after; what changed is what is expected. The module is not recorded: put "ptx" into the files.
 *
 * RECORD_ONLY=TEXT     kernels alone whose names have TEXT in them
 * RECORD_CAPABILITY=80 what the program is told that the device is: a library then launches what it
 *                      has for an older one, where it holds PTX that the driver compiles
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long address;

static void *(*real_dlsym)(void *, const char *);
static void *driver;

static void find_dlsym(void) {
  if (!real_dlsym) *(void **)&real_dlsym = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
}

static void *in_driver(const char *name) {
  find_dlsym();
  if (!driver) driver = dlopen("libcuda.so.1", RTLD_NOW);
  return driver ? real_dlsym(driver, name) : NULL;
}

#define CALL(type, name, ...) \
  ({ static int (*call) type; \
     if (!call) *(void **)&call = in_driver(name); \
     call ? call(__VA_ARGS__) : 500; })

/* Buffers that a launch reaches. */

enum { MOST_BUFFERS = 64 };
static struct buffer { address base; size_t bytes; unsigned char *before; } buffers[MOST_BUFFERS];
static int count, number;

static int buffer_of(address place) {
  address base = 0;
  size_t bytes = 0;
  if (place < 4096 ||
      CALL((address *, size_t *, address), "cuMemGetAddressRange_v2", &base, &bytes, place) != 0)
    return -1;
  for (int i = 0; i < count; i++) if (buffers[i].base == base) return i;
  if (count == MOST_BUFFERS) return -1;
  buffers[count] = (struct buffer){base, bytes, NULL};
  return count++;
}

static unsigned char *contents(const struct buffer *buffer) {
  unsigned char *bytes = malloc(buffer->bytes);
  if (bytes && CALL((void *, address, size_t), "cuMemcpyDtoH_v2", bytes, buffer->base, buffer->bytes))
    memset(bytes, 0, buffer->bytes);
  return bytes;
}

static FILE *created(const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", getenv("RECORD"), name);
  FILE *file = fopen(path, "wb");
  if (!file) perror(path);
  return file;
}

/* An array of bytes as NumPy writes it. */
static void write_npy(const char *name, const unsigned char *bytes, size_t size) {
  FILE *file = created(name);
  if (!file) return;
  char header[128];
  memset(header, ' ', sizeof header);
  memcpy(header, "\x93NUMPY\x01\x00\x76\x00", 10);
  int length = sprintf(header + 10, "{'descr': '|u1', 'fortran_order': False, 'shape': (%zu,), }",
                       size);
  header[10 + length] = ' ';
  header[sizeof header - 1] = '\n';
  fwrite(header, 1, sizeof header, file);
  fwrite(bytes, 1, size, file);
  fclose(file);
}

/* A launch: its file is open from before it until after it. */

struct launch { unsigned grid[3], block[3], shared; void *stream; };

static const char *name_of(void *function) {
  const char *name = NULL;
  if (CALL((const char **, void *), "cuFuncGetName", &name, function) || !name)
    CALL((const char **, void *), "cuKernelGetName", &name, function);
  return name;
}

static int parameter(void *function, size_t index, size_t *offset, size_t *bytes) {
  return CALL((void *, size_t, size_t *, size_t *), "cuFuncGetParamInfo", function, index, offset,
              bytes) &&
         CALL((void *, size_t, size_t *, size_t *), "cuKernelGetParamInfo", function, index, offset,
              bytes);
}

/* The bytes of a parameter, and the addresses of buffers among them. */
static void write_argument(FILE *file, const unsigned char *bytes, size_t size) {
  fprintf(file, "{\"bytes\": \"");
  for (size_t i = 0; i < size; i++) fprintf(file, "%02x", bytes[i]);
  fprintf(file, "\"");
  int found = 0;
  for (size_t at = 0; at + 8 <= size; at += 8) {
    address place;
    memcpy(&place, bytes + at, 8);
    int buffer = buffer_of(place);
    if (buffer < 0) continue;
    fprintf(file, "%s\"%zu\": \"b%d+%llu\"", found++ ? ", " : ", \"at\": {", at, buffer,
            place - buffers[buffer].base);
  }
  fprintf(file, found ? "}}" : "}");
}

static FILE *before(void *function, const struct launch *launch, void **parameters, void **extra) {
  const char *name = name_of(function), *only = getenv("RECORD_ONLY");
  if (!getenv("RECORD") || !name || (only && !strstr(name, only))) return NULL;
  CALL((void), "cuCtxSynchronize", );
  char file_name[64];
  sprintf(file_name, "launch-%d.json", ++number);
  FILE *file = created(file_name);
  if (!file) return NULL;
  const unsigned *g = launch->grid, *b = launch->block;
  fprintf(file, "{\"entry\": \"%s\",\n \"grid\": [%u, %u, %u], \"block\": [%u, %u, %u]", name, g[0],
          g[1], g[2], b[0], b[1], b[2]);
  fprintf(file, ", \"shared\": %u,\n \"args\": [", launch->shared);
  const unsigned char *packed = NULL;
  for (void **word = extra; word && *word; word += 2)
    if (*word == (void *)1) packed = word[1]; /* CU_LAUNCH_PARAM_BUFFER_POINTER */
  count = 0;
  size_t offset, bytes;
  for (size_t i = 0; parameter(function, i, &offset, &bytes) == 0; i++) {
    if (i) fprintf(file, ",\n  ");
    write_argument(file, parameters ? parameters[i] : packed + offset, bytes);
  }
  fprintf(file, "],\n \"buffers\": [");
  for (int i = 0; i < count; i++) {
    sprintf(file_name, "launch-%d.b%d.npy", number, i);
    fprintf(file, "%s{\"buffer\": \"b%d\", \"file\": \"%s\"}", i ? ", " : "", i, file_name);
    buffers[i].before = contents(&buffers[i]);
    if (buffers[i].before) write_npy(file_name, buffers[i].before, buffers[i].bytes);
  }
  fprintf(file, "],\n \"expect\": [");
  return file;
}

static int after(FILE *file, int error) {
  if (!file) return error;
  int failed = CALL((void), "cuCtxSynchronize", );
  const char *comma = "";
  for (int i = 0; i < count; i++) {
    unsigned char *now = contents(&buffers[i]);
    if (now && buffers[i].before && memcmp(now, buffers[i].before, buffers[i].bytes)) {
      char name[64];
      sprintf(name, "launch-%d.b%d.after.npy", number, i);
      fprintf(file, "%s{\"buffer\": \"b%d\", \"file\": \"%s\"}", comma, i, name);
      write_npy(name, now, buffers[i].bytes);
      comma = ", ";
    }
    free(now);
    free(buffers[i].before);
  }
  fprintf(file, "]}\n");
  fclose(file);
  if (error || failed) fprintf(stderr, "record: launch %d: error %d\n", number, error ? error : failed);
  return error;
}

/* What the program is given in place of the driver's functions. */

static int (*launch_kernel)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                            unsigned, void *, void **, void **);

static int recorded_launch(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                           unsigned by, unsigned bz, unsigned shared, void *stream,
                           void **parameters, void **extra) {
  struct launch launch = {{gx, gy, gz}, {bx, by, bz}, shared, stream};
  FILE *file = before(function, &launch, parameters, extra);
  return after(file, launch_kernel(function, gx, gy, gz, bx, by, bz, shared, stream, parameters,
                                   extra));
}

static int (*launch_extended)(const struct launch *, void *, void **, void **);

/* A CUlaunchConfig begins as struct launch does; its attributes go with it. */
static int recorded_extended(const struct launch *launch, void *function, void **parameters,
                             void **extra) {
  FILE *file = before(function, launch, parameters, extra);
  return after(file, launch_extended(launch, function, parameters, extra));
}

static int (*attribute)(int *, int, int);

static int told_attribute(int *value, int which, int device) {
  int error = attribute(value, which, device);
  const char *told = getenv("RECORD_CAPABILITY");
  if (!error && told && which == 75) *value = atoi(told) / 10; /* COMPUTE_CAPABILITY_MAJOR */
  if (!error && told && which == 76) *value = atoi(told) % 10; /* COMPUTE_CAPABILITY_MINOR */
  return error;
}

static void *replaced(const char *name, void *found);

static int (*proc_address)(const char *, void **, int, uint64_t, int *);

static int given_address(const char *name, void **function, int version, uint64_t flags,
                         int *status) {
  int error = proc_address(name, function, version, flags, status);
  if (!error && function) *function = replaced(name, *function);
  return error;
}

static void *instead(void *found, void *keep, void *ours) {
  memcpy(keep, &found, sizeof found);
  return ours;
}

static void *replaced(const char *name, void *found) {
  if (!found || strncmp(name, "cu", 2)) return found;
  if (!strncmp(name, "cuLaunchKernelEx", 16)) return instead(found, &launch_extended, recorded_extended);
  if (!strcmp(name, "cuLaunchKernel") || !strcmp(name, "cuLaunchKernel_ptsz"))
    return instead(found, &launch_kernel, recorded_launch);
  if (!strcmp(name, "cuDeviceGetAttribute")) return instead(found, &attribute, told_attribute);
  if (!strncmp(name, "cuGetProcAddress", 16)) return instead(found, &proc_address, given_address);
  return found;
}

__attribute__((visibility("default"))) void *dlsym(void *library, const char *name) {
  find_dlsym();
  return replaced(name, real_dlsym(library, name));
}
