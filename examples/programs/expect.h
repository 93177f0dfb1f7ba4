// What a call is to answer; tells what differs.
#pragma once
#include <cstdio>

static int wrong;
static int cases;

static void expect(const char *what, cudaError_t found, cudaError_t stated) {
  cases++;
  cudaGetLastError();
  if (found != stated) {
    wrong++;
    printf("%s: %s, stated is %s\n", what, cudaGetErrorName(found), cudaGetErrorName(stated));
  }
}

static void expect(const char *what, long found, long stated) {
  cases++;
  if (found != stated) {
    wrong++;
    printf("%s: %ld, stated is %ld\n", what, found, stated);
  }
}

#define EXPECT(stated, call) expect(#call, (call), stated)
#define EXPECT_LAUNCH(stated, launch) (launch, expect(#launch, cudaGetLastError(), stated))
#define EXPECT_VALUE(stated, value) expect(#value, (long)(value), (long)(stated))

// Tells the end; the exit code.
static int judged() {
  if (cudaGetLastError() != cudaSuccess) printf("an error is left\n"), wrong++;
  if (wrong == 0) printf("passed\n");
  else printf("%d of %d differ\n", wrong, cases);
  return wrong != 0;
}
