// Calls functions by name, with null pointers and zeros for whatever they take, and prints what each
// answers.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

int main(int count, char **names) {
  for (int i = 1; i < count; i++) {
    int (*function)(long, long, long, long, long, long, long, long) = dlsym(RTLD_DEFAULT, names[i]);
    if (function) printf("%s %d\n", names[i], function(0, 0, 0, 0, 0, 0, 0, 0));
    else printf("%s is not exported\n", names[i]);
    fflush(stdout);
  }
  return 0;
}
