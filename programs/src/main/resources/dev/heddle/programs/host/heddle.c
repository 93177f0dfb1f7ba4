/* The stand-in for the CUDA libraries inside a program's process: it starts the JVM at the first
 * call that needs one, and leaves every decision to Java.
 *
 * entries.S, written beside this file by the build, exports each function of the CUDA libraries
 * as a jump through heddle_table. At first all places lead to heddle_resolve, which asks
 * heddle_link for the function's address: an upcall stub that Java makes. What needs no device is
 * done here: registrations are kept in a list that Java reads, launch configurations in a stack.
 * So is what Java could only do the same way: copies and fills while no stream has work.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <jni.h>
#include <link.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define GLOBAL_MEMORY ((char *)0x1000000000)
#define BLOCK 256
#define EXPORTED __attribute__((visibility("default")))

extern void *heddle_table[];
extern const char *const heddle_names[];
extern void *const heddle_entries[];
extern const long heddle_count;
void heddle_resolve(void);

/* What a program registered, in its order. */
struct registration {
  long kind;
  long handle;
  long arguments[6];
  struct registration *next;
};
enum { FAT_BINARY, FUNCTION, VARIABLE, MANAGED, UNREGISTERED };

/* What Java is given; it fills in link, finish and settle. `site` answers from where the host's code called last. */
static struct {
  void **table;
  void *const *entries;
  long count;
  char *memory;
  char *marks;
  long bytes;
  struct registration *first;
  void *(*site)(void);
  void *(*link)(int index);
  int (*finish)(int status);
  void (*settle)(void);
  char *whole; /* for each BLOCK marks, whether all are known to be set */
  int toolkit; /* of CUDA, by its major version */
  int allowed; /* Shortcut.java: what is done here, without Java */
  int users;   /* threads that do, but for the program's first one */
  int first_uses;
  void (*await_users)(void);
} shared = {.toolkit = 13};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct registration *last;
static volatile int started, failed, forked;
static const char *jvm_folder;

static void say(const char *what, const char *detail) {
  fprintf(stderr, "heddle: %s%s\n", what, detail ? detail : "");
}

/* Registration. */

static void add(long kind, void **handle, long a, long b, long c, long d) {
  struct registration *made = calloc(1, sizeof *made);
  if (!made) abort();
  *made = (struct registration){kind, (long)handle, {a, b, c, d}, NULL};
  pthread_mutex_lock(&lock);
  if (last) __atomic_store_n(&last->next, made, __ATOMIC_RELEASE);
  else shared.first = made;
  last = made;
  pthread_mutex_unlock(&lock);
}

EXPORTED void **__cudaRegisterFatBinary(void *wrapper) {
  void **handle = calloc(1, sizeof *handle);
  if (!handle) abort();
  add(FAT_BINARY, handle, (long)wrapper, 0, 0, 0);
  return handle;
}

EXPORTED void __cudaRegisterFatBinaryEnd(void **handle) {}

EXPORTED void __cudaUnregisterFatBinary(void **handle) {
  if (handle) add(UNREGISTERED, handle, 0, 0, 0, 0);
}

EXPORTED void __cudaRegisterFunction(void **handle, const char *host, char *device,
                                     const char *name, int limit, void *tid, void *bid,
                                     void *block, void *grid, int *warp) {
  add(FUNCTION, handle, (long)host, (long)name, 0, 0);
}

EXPORTED void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int ext,
                                size_t size, int constant, int global) {
  add(VARIABLE, handle, (long)host, (long)name, (long)size, constant);
}

EXPORTED void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name,
                                       int ext, size_t size, int constant, int global) {
  add(MANAGED, handle, (long)host, (long)name, (long)size, constant);
}

/* `<<<...>>>`: the configuration of a launch goes over a stack of the thread. */

struct dimensions { unsigned x, y, z; };
struct configuration { struct dimensions grid, block; size_t dynamic; void *stream; };
static __thread struct configuration pushed[16];
static __thread int depth;

/* From where the host's code called last: a function (entries.S), or, for `<<<...>>>`, what pushed the
 * configuration. */
__thread void *heddle_called_from;
__thread int heddle_popped;
static __thread void *pushed_from;

static void *site(void) { return heddle_called_from; }

EXPORTED unsigned __cudaPushCallConfiguration(struct dimensions grid, struct dimensions block,
                                              size_t dynamic, void *stream) {
  pushed_from = __builtin_return_address(0);
  if (depth == 16) return 1;
  pushed[depth++] = (struct configuration){grid, block, dynamic, stream};
  return 0;
}

EXPORTED int __cudaPopCallConfiguration(struct dimensions *grid, struct dimensions *block,
                                        size_t *dynamic, void *stream) {
  if (depth == 0) return 52; /* cudaErrorMissingConfiguration */
  struct configuration *top = &pushed[--depth];
  heddle_called_from = pushed_from;
  heddle_popped = 1;
  *grid = top->grid;
  *block = top->block;
  *dynamic = top->dynamic;
  *(void **)stream = top->stream;
  return 0;
}

/* What NVRTC compiles for a real architecture is loaded as PTX, too. */

static int from_nvrtc(const char *name, void *program, void *into) {
  int (*next)(void *, void *);
  *(void **)&next = dlsym(RTLD_NEXT, name);
  return next ? next(program, into) : 7; /* NVRTC_ERROR_BUILTIN_OPERATION_FAILURE */
}

EXPORTED int nvrtcGetCUBINSize(void *program, size_t *size) {
  return from_nvrtc("nvrtcGetPTXSize", program, size);
}

EXPORTED int nvrtcGetCUBIN(void *program, char *image) {
  return from_nvrtc("nvrtcGetPTX", program, image);
}

/* The JVM. */

/* Splits lines in place; returns how many. */
static int lines(char *text, char **into, int most) {
  int count = 0;
  for (char *line = strtok(text, "\n"); line && count < most; line = strtok(NULL, "\n"))
    into[count++] = line;
  return count;
}

static int call_java(JNIEnv *env) {
  jclass class = (*env)->FindClass(env, "dev/heddle/programs/Bootstrap");
  if (!class) return -1;
  jmethodID start = (*env)->GetStaticMethodID(env, class, "start", "(J)V");
  if (!start) return -1;
  (*env)->CallStaticVoidMethod(env, class, start, (jlong)&shared);
  return (*env)->ExceptionCheck(env) ? -1 : 0;
}

/* Kernels end before the C library finishes the libraries of the process, those of the JVM among
 * them: a kernel may be the first to load one. That is why this is registered when the JVM has
 * started, behind what the C library registers before main. */
static void settle(int status, void *unused) {
  if (started && !forked) shared.settle();
}

/* On a thread of its own: the first thread of a process has a stack that the JVM cannot guard. */
static void *start_java(void *unused) {
  static char *flags[256];
  static JavaVMOption options[256];
  const char *library = getenv("HEDDLE_JVM");
  char *text = getenv("HEDDLE_JVM_FLAGS");
  if (!library || !text || !(text = strdup(text))) {
    say("start the program by `heddle cuda PROGRAM`", NULL);
    return NULL;
  }
  char *folder = strdup(library), *end = folder ? strstr(folder, "/server/") : NULL;
  if (end) *end = 0, jvm_folder = folder;
  void *jvm = dlopen(library, RTLD_NOW | RTLD_GLOBAL);
  if (!jvm) {
    say("no JVM: ", dlerror());
    return NULL;
  }
  jint (*create)(JavaVM **, void **, void *) = dlsym(jvm, "JNI_CreateJavaVM");
  JavaVMInitArgs arguments = {JNI_VERSION_10, lines(text, flags, 256), options, JNI_FALSE};
  for (int i = 0; i < arguments.nOptions; i++) options[i].optionString = flags[i];
  JavaVM *vm;
  JNIEnv *env;
  if (!create || create(&vm, (void **)&env, &arguments) != JNI_OK) {
    say("the JVM did not start: ", library);
    return NULL;
  }
  if (call_java(env)) (*env)->ExceptionDescribe(env);
  else started = 1;
  (*vm)->DetachCurrentThread(vm);
  return NULL;
}

/* Instead of libjsig's, which prints a warning of the JVM's that no program asked for. */
EXPORTED sighandler_t signal(int number, sighandler_t handler) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, before;
  return sigaction(number, &action, &before) ? SIG_ERR : before.sa_handler;
}

/* SIGPIPE ends a program whose reader has gone, unless it said otherwise: libjsig knows. The JVM
 * would ignore it. */
struct kernel_action { void *handler; unsigned long flags; void *restorer; unsigned long mask; };

static void reader_gone(int signal, siginfo_t *info, void *context) {
  struct sigaction own;
  struct kernel_action usual = {0};
  sigset_t this_one;
  sigaction(SIGPIPE, NULL, &own);
  if (own.sa_handler == SIG_IGN) return;
  if (own.sa_handler == SIG_DFL || own.sa_sigaction == reader_gone) {
    syscall(SYS_rt_sigaction, SIGPIPE, &usual, NULL, sizeof usual.mask);
    sigemptyset(&this_one);
    sigaddset(&this_one, SIGPIPE);
    pthread_sigmask(SIG_UNBLOCK, &this_one, NULL);
    raise(SIGPIPE);
  } else if (own.sa_flags & SA_SIGINFO) {
    own.sa_sigaction(signal, info, context);
  } else {
    own.sa_handler(signal);
  }
}

static void end_by_sigpipe(void) {
  struct kernel_action action;
  syscall(SYS_rt_sigaction, SIGPIPE, NULL, &action, sizeof action.mask);
  action.handler = (void *)reader_gone;
  syscall(SYS_rt_sigaction, SIGPIPE, &action, NULL, sizeof action.mask);
}

/* A fault of the program's ends it as it would without a JVM, whose report would say nothing of the
 * program. */
static void end_as_usual(int signal, siginfo_t *info, void *context) {
  struct kernel_action usual = {0};
  void *at = (void *)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
  Dl_info place;
  int sent = info->si_code <= 0, called = (uintptr_t)at < 4096; /* a null function */
  if (!sent && !called && (!dladdr(at, &place) || strstr(place.dli_fname, "/libjvm.so")))
    say("a fault inside Heddle: a bad host pointer passed to CUDA, or a bug of Heddle: ",
        strsignal(signal));
  syscall(SYS_rt_sigaction, signal, &usual, NULL, sizeof usual.mask);
  if (sent) raise(signal);
}

static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};

/* Once there is a JVM, the default of a fault is to end as usual: handlers that programs install fall
 * back on it. */
EXPORTED int sigaction(int number, const struct sigaction *action, struct sigaction *before) {
  static int (*next)(int, const struct sigaction *, struct sigaction *);
  static const struct sigaction usual = {.sa_sigaction = end_as_usual, .sa_flags = SA_SIGINFO};
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "sigaction");
  for (int i = 0; i < 4 && started; i++)
    if (number == faults[i] && action && action->sa_handler == SIG_DFL) action = &usual;
  int failed_to = next(number, action, before);
  if (before && before->sa_sigaction == end_as_usual) before->sa_handler = SIG_DFL;
  return failed_to;
}

/* Before the JVM's handlers, which hand on what they do not know; the program's own come first. */
static void leave_faults(void) {
  for (int i = 0; i < 4; i++) {
    struct sigaction action = {.sa_sigaction = end_as_usual, .sa_flags = SA_SIGINFO}, before;
    sigaction(faults[i], NULL, &before);
    if (before.sa_handler == SIG_DFL) sigaction(faults[i], &action, NULL);
  }
}

static void start(void) {
  pthread_t thread;
  pthread_attr_t attributes;
  sigset_t all, before;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 8 << 20);
  /* The program's own signal handlers run on its own threads. */
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  leave_faults();
  if (pthread_create(&thread, &attributes, start_java, NULL) == 0) pthread_join(thread, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  failed = !started;
  if (started) end_by_sigpipe(), on_exit(settle, NULL);
}

/* Copies and fills of memory that is marked as written: nothing is to be told of them then, no mark to
 * be set, and they lie in one buffer, as the gaps between buffers have no marks. */

enum { WHAT_THE_HOST_WAITS_FOR = 1, FILLS_TOO };

static int all_set(const char *marks, size_t count) {
  uint64_t eight;
  for (; count >= 8; marks += 8, count -= 8) {
    memcpy(&eight, marks, 8);
    if (eight != 0x0101010101010101) return 0;
  }
  while (count && *marks == 1) marks++, count--;
  return !count;
}

static int is_ours(const char *at) {
  return at >= GLOBAL_MEMORY && at - GLOBAL_MEMORY < shared.bytes;
}

/* Of bytes in one block. */
static int all_written(size_t from, size_t to) {
  return shared.whole[from / BLOCK] || all_set(shared.marks + from, to - from);
}

/* Memory of the host is trusted, but for null pointers. */
static int is_plain(const char *at, size_t bytes) {
  size_t from = at - GLOBAL_MEMORY, to = from + bytes;
  size_t second = from / BLOCK + 1, last = (to - 1) / BLOCK;
  if (!is_ours(at)) return (uintptr_t)at >= 4096;
  if (bytes > shared.bytes - from) return 0;
  if (all_set(shared.whole + second - 1, last - second + 2)) return 1;
  if (second > last) return all_written(from, to);
  return all_written(from, second * BLOCK) && all_set(shared.whole + second, last - second) &&
         all_written(last * BLOCK, to);
}

/* Locked instructions take longer than a small copy. The program's first thread says without them that it
 * copies: who waits for it (await_users) makes it pass a barrier. */
static __thread int is_first __attribute__((tls_model("initial-exec")));

static void end_quickly(void) {
  if (is_first) __atomic_store_n(&shared.first_uses, shared.first_uses - 1, __ATOMIC_RELEASE);
  else __atomic_sub_fetch(&shared.users, 1, __ATOMIC_RELEASE);
}

/* Whether streams allow it; then end_quickly is to be called. */
static int begin_quickly(int what) {
  if (__atomic_load_n(&shared.allowed, __ATOMIC_RELAXED) < what) return 0;
  if (is_first) {
    __atomic_store_n(&shared.first_uses, shared.first_uses + 1, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
  } else {
    __atomic_add_fetch(&shared.users, 1, __ATOMIC_SEQ_CST);
  }
  if (__atomic_load_n(&shared.allowed, __ATOMIC_SEQ_CST) >= what) return 1;
  end_quickly();
  return 0;
}

/* Java calls it when it has taken back what is allowed: returns when nobody copies any more. */
static void await_users(void) {
  if (!is_first) syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
  while (__atomic_load_n(&shared.users, __ATOMIC_ACQUIRE) ||
         (!is_first && __atomic_load_n(&shared.first_uses, __ATOMIC_ACQUIRE)))
    sched_yield();
}

static int copied(char *to, const char *from, size_t bytes, int to_device, int from_device) {
  if (!bytes || to_device > is_ours(to) || from_device > is_ours(from)) return 0;
  if (!begin_quickly(WHAT_THE_HOST_WAITS_FOR)) return 0;
  int plain = is_plain(to, bytes) && is_plain(from, bytes);
  if (plain) memmove(to, from, bytes);
  end_quickly();
  return plain;
}

static int copy(char *, const char *, size_t, int), copy_in(char *, const char *, size_t);
static int copy_out(char *, const char *, size_t), copy_within(char *, const char *, size_t);
static int fill(char *, int, size_t), await(void);

static struct quick {
  const char *name;
  void *here;
  void *in_java;
} quick[] = {{"cudaMemcpy", copy, NULL},          {"cuMemcpyHtoD_v2", copy_in, NULL},
             {"cuMemcpyDtoH_v2", copy_out, NULL}, {"cuMemcpyDtoD_v2", copy_within, NULL},
             {"cudaMemset", fill, NULL},          {"cudaDeviceSynchronize", await, NULL}};

static int copy(char *to, const char *from, size_t bytes, int kind) {
  int (*in_java)(char *, const char *, size_t, int) = quick[0].in_java;
  int known = kind > 0 && kind < 5; /* a cudaMemcpyKind; 4 goes by the addresses */
  if (known && copied(to, from, bytes, kind == 1 || kind == 3, kind == 2 || kind == 3)) return 0;
  return in_java(to, from, bytes, kind);
}

static int copy_by(int which, char *to, const char *from, size_t bytes, int in, int out) {
  int (*in_java)(char *, const char *, size_t) = quick[which].in_java;
  return copied(to, from, bytes, in, out) ? 0 : in_java(to, from, bytes);
}

static int copy_in(char *to, const char *from, size_t bytes) {
  return copy_by(1, to, from, bytes, 1, 0);
}

static int copy_out(char *to, const char *from, size_t bytes) {
  return copy_by(2, to, from, bytes, 0, 1);
}

static int copy_within(char *to, const char *from, size_t bytes) {
  return copy_by(3, to, from, bytes, 1, 1);
}

static int fill(char *at, int value, size_t bytes) {
  int (*in_java)(char *, int, size_t) = quick[4].in_java, plain = 0;
  if (bytes && is_ours(at) && begin_quickly(FILLS_TOO)) {
    plain = is_plain(at, bytes);
    if (plain) memset(at, value, bytes);
    end_quickly();
  }
  return plain ? 0 : in_java(at, value, bytes);
}

static int await(void) {
  int (*in_java)(void) = quick[5].in_java;
  return __atomic_load_n(&shared.allowed, __ATOMIC_ACQUIRE) ? 0 : in_java();
}

/* The function of a name that is done here where it can be, and else in Java. */
static void *quickly(const char *name, void *in_java) {
  for (size_t i = 0; i < sizeof quick / sizeof *quick; i++)
    if (strcmp(quick[i].name, name) == 0) {
      quick[i].in_java = in_java;
      return quick[i].here;
    }
  return in_java;
}

/* What functions answer where there is no machine: cudaErrorInitializationError, in words where
 * words are asked for. */
static long unavailable(void) { return 3; }
static const char *unavailable_words(void) { return "initialization error"; }

static void *without_machine(int index) {
  const char *name = heddle_names[index];
  return strcmp(name, "cudaGetErrorString") && strcmp(name, "cudaGetErrorName")
             ? (void *)unavailable
             : (void *)unavailable_words;
}

/* The address of a function; called at the first call of each. */
void *heddle_link(int index) {
  static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;
  if (!started && !failed) {
    pthread_mutex_lock(&starting);
    if (!started && !failed) start();
    pthread_mutex_unlock(&starting);
  }
  sigset_t own;
  pthread_sigmask(SIG_SETMASK, NULL, &own);
  void *address = failed || forked ? without_machine(index)
                                   : quickly(heddle_names[index], shared.link(index));
  /* The JVM blocks SIGQUIT in threads that call it first. */
  pthread_sigmask(SIG_SETMASK, &own, NULL);
  heddle_table[index] = address;
  return address;
}

/* A child of fork has the memory, but no thread of the JVM: as with CUDA, it cannot go on. */
static void child(void) {
  if (!started) return;
  forked = 1;
  for (int i = 0; i < heddle_count; i++) heddle_table[i] = without_machine(i);
}

/* After all of the program's own handlers. What Java answers becomes the exit code. */
static void finish(int status, void *unused) {
  if (!started || forked) return;
  int code = shared.finish(status);
  if (code != status) {
    fflush(NULL);
    _exit(code);
  }
}

/* The C library registers first of all, when a program begins, what finishes its libraries, those of
 * the JVM among them. Java is asked after the program's own handlers and before that: registered
 * second. */
EXPORTED int __libc_start_main(int (*program)(int, char **, char **), int count, char **arguments,
                               void (*init)(void), void (*fini)(void), void (*finish_libraries)(void),
                               void *stack) {
  int (*next)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void),
              void (*)(void), void *);
  *(void **)&next = dlsym(RTLD_NEXT, "__libc_start_main");
  if (finish_libraries) atexit(finish_libraries);
  on_exit(finish, NULL);
  return next(program, count, arguments, init, fini, NULL, stack);
}

/* Programs with a cudart of their own inside: its functions become jumps to these. */

/* movabs $..., %rax; jmp *%rax */
static const unsigned char jump[12] = {0x48, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xe0};

static void redirect(char *at, void *to) {
  uintptr_t page = (uintptr_t)at & ~4095UL;
  size_t length = ((uintptr_t)at + sizeof jump - page + 4095) & ~4095UL;
  if (mprotect((void *)page, length, PROT_READ | PROT_WRITE | PROT_EXEC)) return;
  memcpy(at, jump, sizeof jump);
  memcpy(at + 2, &to, 8);
  mprotect((void *)page, length, PROT_READ | PROT_EXEC);
}

static void *own; /* this library, when it has begun */

static void redirect_function(char *at, const char *name) {
  if (strncmp(name, "cuda", 4) && strncmp(name, "__cuda", 6)) return;
  void *ours = dlsym(own, name);
  if (ours) redirect(at, ours);
  /* CUDA 13 has it without the suffix. */
  if (strcmp(name, "cudaGraphAddDependencies_v2") == 0) shared.toolkit = 12;
}

/* Redirects the functions in an object's symbol table. */
static void redirect_functions(char *base, const char *path) {
  if (strstr(path, "/libcudart.so.12")) shared.toolkit = 12;
  struct stat status;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  char *text = MAP_FAILED;
  if (fstat(file, &status) == 0 && status.st_size > 0)
    text = mmap(NULL, status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (text == MAP_FAILED) return;
  size_t size = status.st_size;
  const Elf64_Ehdr *header = (const void *)text;
  const Elf64_Shdr *sections = (const void *)(text + header->e_shoff);
  int count = size < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) ||
                      header->e_shoff + (size_t)header->e_shnum * sizeof *sections > size
                  ? 0
                  : header->e_shnum;
  for (int s = 0; s < count; s++) {
    if (sections[s].sh_type != SHT_SYMTAB) continue;
    if (sections[s].sh_offset + sections[s].sh_size > size) break;
    const Elf64_Sym *table = (const void *)(text + sections[s].sh_offset);
    const char *names = text + sections[sections[s].sh_link].sh_offset;
    for (size_t i = 0; i < sections[s].sh_size / sizeof *table; i++)
      if (ELF64_ST_TYPE(table[i].st_info) == STT_FUNC && table[i].st_value)
        redirect_function(base + table[i].st_value, names + table[i].st_name);
  }
  munmap(text, size);
}

static int redirect_object(struct dl_phdr_info *info, size_t unused, void *library) {
  char *base = (char *)info->dlpi_addr;
  if (base != library)
    redirect_functions(base, info->dlpi_name[0] ? info->dlpi_name : "/proc/self/exe");
  return 0;
}

/* The C library's start files call it, where there is one, as a library's first code: a library that the
 * program opens later is redirected before it registers its kernels. */
EXPORTED void __gmon_start__(void) {
  Dl_info unused;
  struct link_map *library;
  if (own && dladdr1(__builtin_return_address(0), &unused, (void **)&library, RTLD_DL_LINKMAP) &&
      library->l_name[0]) /* the program itself has none */
    redirect_functions((char *)library->l_addr, library->l_name);
}

/* A library of the JVM would end itself in the middle of exit(), with its threads still running
 * and the program's own handlers still calling it: it is not let. */
EXPORTED int __cxa_atexit(void (*function)(void *), void *argument, void *library) {
  static int (*next)(void (*)(void *), void *, void *);
  Dl_info info;
  if (jvm_folder && library && dladdr(library, &info) && info.dli_fname &&
      strncmp(info.dli_fname, jvm_folder, strlen(jvm_folder)) == 0)
    return 0;
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "__cxa_atexit");
  return next(function, argument, library);
}

/* Device memory has its place in the process: what a kernel sees at an address, the host sees. */
static void reserve(void) {
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  for (long bytes = 64L << 30; bytes >= 1L << 30; bytes /= 2) {
    char *memory =
        mmap(GLOBAL_MEMORY, bytes, PROT_READ | PROT_WRITE, flags | MAP_FIXED_NOREPLACE, -1, 0);
    if (memory == GLOBAL_MEMORY) {
      char *marks = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
      shared.whole =
          mmap(NULL, bytes / BLOCK, PROT_READ | PROT_WRITE, flags, -1, 0);
      if (marks != MAP_FAILED && shared.whole != MAP_FAILED) {
        shared.memory = memory;
        shared.marks = marks;
        shared.bytes = bytes;
        return;
      }
    }
    if (memory != MAP_FAILED) munmap(memory, bytes);
  }
}

/* The JVM that became this program had SIGQUIT blocked. */
static void unblock_quit(void) {
  sigset_t quit;
  sigemptyset(&quit);
  sigaddset(&quit, SIGQUIT);
  pthread_sigmask(SIG_UNBLOCK, &quit, NULL);
}

__attribute__((constructor)) static void loaded(void) {
  Dl_info self;
  unblock_quit();
  shared.site = site;
  shared.table = heddle_table;
  shared.entries = heddle_entries;
  shared.count = heddle_count;
  shared.await_users = await_users;
  is_first = !syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
  reserve();
  dladdr(loaded, &self);
  own = dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  dl_iterate_phdr(redirect_object, self.dli_fbase);
  pthread_atfork(NULL, NULL, child);
}
