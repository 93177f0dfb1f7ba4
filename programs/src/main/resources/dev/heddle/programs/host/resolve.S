# Keeps from where a function is called, unless `<<<...>>>` told it just before.
        .macro  keep_caller
        movq    heddle_popped@gottpoff(%rip), %r10
        cmpl    $0, %fs:(%r10)
        movl    $0, %fs:(%r10)
        jne     1f
        movq    heddle_called_from@gottpoff(%rip), %r10
        movq    (%rsp), %r11
        movq    %r11, %fs:(%r10)
1:
        .endm

# The first call of a function: keeps its arguments, asks for its address, goes there.
        .text
        .globl  heddle_resolve
        .type   heddle_resolve, @function
heddle_resolve:
        pushq   %rdi
        pushq   %rsi
        pushq   %rdx
        pushq   %rcx
        pushq   %r8
        pushq   %r9
        subq    $136, %rsp
        movups  %xmm0, (%rsp)
        movups  %xmm1, 16(%rsp)
        movups  %xmm2, 32(%rsp)
        movups  %xmm3, 48(%rsp)
        movups  %xmm4, 64(%rsp)
        movups  %xmm5, 80(%rsp)
        movups  %xmm6, 96(%rsp)
        movups  %xmm7, 112(%rsp)
        movl    %r11d, %edi
        call    heddle_link
        movq    %rax, %r11
        movups  (%rsp), %xmm0
        movups  16(%rsp), %xmm1
        movups  32(%rsp), %xmm2
        movups  48(%rsp), %xmm3
        movups  64(%rsp), %xmm4
        movups  80(%rsp), %xmm5
        movups  96(%rsp), %xmm6
        movups  112(%rsp), %xmm7
        addq    $136, %rsp
        popq    %r9
        popq    %r8
        popq    %rcx
        popq    %rdx
        popq    %rsi
        popq    %rdi
        jmp     *%r11
        .section .note.GNU-stack, "", @progbits
