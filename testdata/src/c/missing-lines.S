/*
 * A function as rustc makes many: code without lines, in which it jumps and calls, between code with lines, of its own
 * file or of another one. A section has lines only from its first .loc on, so each gap is a section of its own.
 */
	.file "missing.c"
	.file 1 "missing.c"
	.file 2 "inlined.h"

	.section .text.a,"ax",@progbits
	.globl sweep
	.type sweep,@function
	.size sweep, 400
sweep:
	.loc 1 100 1
	pushq %rbx
	movl %edi,%ebx
	call add
	.section .text.b,"ax",@progbits /* no lines: calls, one after the other */
	movl %ebx,%edi
	nop
	call add
	nop
	movl %ebx,%edi
	call mix
	nop
	movl $8,%edi
	call malloc@PLT
	movq %rax,%rdi
	call free@PLT
	movl %ebx,%edi
	call bare_skip
	nop
	.section .text.c,"ax",@progbits /* lines of another file */
	.loc 2 7 1
	movl %ebx,%edi
	call mix
	nop
	.section .text.d,"ax",@progbits /* no lines: jumps, then calls */
	testl $1,%ebx
	jz 1f
	nop
1:	testl $2,%ebx
	jz 2f
	nop
2:	movl %ebx,%edi
	call mix
	jmp 3f
	.section .text.e,"ax",@progbits
	.loc 1 110 1
3:	movl %ebx,%edi
	call add
	.section .text.f,"ax",@progbits /* no lines, a jump to code with lines */
	testl $1,%ebx
	jz 4f
	nop
	.section .text.g,"ax",@progbits
	.loc 1 112 1
4:	movl %ebx,%edi
	call bare_skip
	.loc 2 9 1
	nop
	.section .text.h,"ax",@progbits
	testl $4,%ebx
	jz 5f
	nop
5:	popq %rbx
	ret
	.section .note.GNU-stack,"",@progbits
