#include "textflag.h"

// Constants, eight times each.
#define EIGHT(name, bits) \
	DATA name<>+0(SB)/4, $bits; DATA name<>+4(SB)/4, $bits \
	DATA name<>+8(SB)/4, $bits; DATA name<>+12(SB)/4, $bits \
	DATA name<>+16(SB)/4, $bits; DATA name<>+20(SB)/4, $bits \
	DATA name<>+24(SB)/4, $bits; DATA name<>+28(SB)/4, $bits \
	GLOBL name<>(SB), RODATA|NOPTR, $32

EIGHT(absolute, 0x7fffffff)
EIGHT(infinity, 0xff800000)   // minus infinity
EIGHT(least, 0xc2ae0000)      // -87
EIGHT(log2e, 0x3fb8aa3b)
EIGHT(ln2High, 0x3f317000)
EIGHT(ln2Low, 0x3805fdf4)
EIGHT(one, 0x3f800000)
EIGHT(half, 0x3f000000)
EIGHT(sixth, 0x3e2aaaab)      // 1/6
EIGHT(term4, 0x3d2aaaab)      // 1/24
EIGHT(term5, 0x3c088889)      // 1/120
EIGHT(term6, 0x3ab60b61)      // 1/720
EIGHT(rootHalf, 0x3f3504f3)   // 1/√2
EIGHT(slope, 0x3ea7ba05)      // 0.3275911
EIGHT(erf1, 0x3e827906)       // 0.254829592
EIGHT(erf2, 0xbe91a98e)       // -0.284496736
EIGHT(erf3, 0x3fb5f0e3)       // 1.421413741
EIGHT(erf4, 0xbfba00e3)       // -1.453152027
EIGHT(erf5, 0x3f87dc22)       // 1.061405429

// A step of multiplyTileInt8: two inputs, 4 rows, 16 columns.
#define STEP(values, weights) \
	VPMOVSXBW    weights(BX), Y8 \
	VPMOVSXBW    weights+16(BX), Y9 \
	VPBROADCASTD values(SI), Y10 \
	VPMADDWD     Y8, Y10, Y11 \
	VPADDD       Y11, Y0, Y0 \
	VPMADDWD     Y9, Y10, Y12 \
	VPADDD       Y12, Y1, Y1 \
	VPBROADCASTD values(SI)(R8*1), Y13 \
	VPMADDWD     Y8, Y13, Y14 \
	VPADDD       Y14, Y2, Y2 \
	VPMADDWD     Y9, Y13, Y15 \
	VPADDD       Y15, Y3, Y3 \
	VPBROADCASTD values(SI)(R8*2), Y10 \
	VPMADDWD     Y8, Y10, Y11 \
	VPADDD       Y11, Y4, Y4 \
	VPMADDWD     Y9, Y10, Y12 \
	VPADDD       Y12, Y5, Y5 \
	VPBROADCASTD values(SI)(R9*1), Y13 \
	VPMADDWD     Y8, Y13, Y14 \
	VPADDD       Y14, Y6, Y6 \
	VPMADDWD     Y9, Y13, Y15 \
	VPADDD       Y15, Y7, Y7

// The sums of a row in x and y, scaled, with their biases, go to dst.
#define STORE(row, x, y) \
	VBROADCASTSS row*4(R10), Y8 \
	VMULPS       Y8, Y12, Y9 \
	VMULPS       Y8, Y13, Y10 \
	VCVTDQ2PS    x, x \
	VCVTDQ2PS    y, y \
	VFMADD213PS  Y14, Y9, x \
	VFMADD213PS  Y15, Y10, y \
	VMOVUPS      x, (DI) \
	VMOVUPS      y, 32(DI) \
	ADDQ         DX, DI

// func multiplyTileInt8AVX2(dst *float32, dstStride int, values *int16, stride int, weights *int8, scales, columns *float32)
TEXT ·multiplyTileInt8AVX2(SB), NOSPLIT, $0-56
	MOVQ  dst+0(FP), DI
	MOVQ  dstStride+8(FP), DX
	MOVQ  values+16(FP), SI
	MOVQ  stride+24(FP), R8
	MOVQ  weights+32(FP), BX
	MOVQ  scales+40(FP), R10
	MOVQ  columns+48(FP), R11
	MOVQ  R8, CX
	SHRQ  $2, CX
	SHLQ  $2, DX
	SHLQ  $1, R8
	LEAQ  (R8)(R8*2), R9
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5
	VPXOR Y6, Y6, Y6
	VPXOR Y7, Y7, Y7

bytes:
	STEP(0, 0)
	STEP(4, 32)
	ADDQ $8, SI
	ADDQ $64, BX
	DECQ CX
	JNZ  bytes

	VMOVUPS (R11), Y12
	VMOVUPS 32(R11), Y13
	VMOVUPS 64(R11), Y14
	VMOVUPS 96(R11), Y15
	STORE(0, Y0, Y1)
	STORE(1, Y2, Y3)
	STORE(2, Y4, Y5)
	STORE(3, Y6, Y7)
	VZEROUPPER
	RET

// func multiplyTileFloat32AVX2(dst *float32, dstStride int, a *float32, aStride int, b *float32, bStride, k int)
TEXT ·multiplyTileFloat32AVX2(SB), NOSPLIT, $0-56
	MOVQ   dst+0(FP), DI
	MOVQ   dstStride+8(FP), DX
	MOVQ   a+16(FP), SI
	MOVQ   aStride+24(FP), R8
	MOVQ   b+32(FP), BX
	MOVQ   bStride+40(FP), R10
	MOVQ   k+48(FP), CX
	SHLQ   $2, DX
	SHLQ   $2, R8
	SHLQ   $2, R10
	LEAQ   (R8)(R8*2), R9
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	VXORPS Y4, Y4, Y4
	VXORPS Y5, Y5, Y5
	VXORPS Y6, Y6, Y6
	VXORPS Y7, Y7, Y7

floats:
	VMOVUPS      (BX), Y8
	VMOVUPS      32(BX), Y9
	VBROADCASTSS (SI), Y10
	VFMADD231PS  Y8, Y10, Y0
	VFMADD231PS  Y9, Y10, Y1
	VBROADCASTSS (SI)(R8*1), Y11
	VFMADD231PS  Y8, Y11, Y2
	VFMADD231PS  Y9, Y11, Y3
	VBROADCASTSS (SI)(R8*2), Y12
	VFMADD231PS  Y8, Y12, Y4
	VFMADD231PS  Y9, Y12, Y5
	VBROADCASTSS (SI)(R9*1), Y13
	VFMADD231PS  Y8, Y13, Y6
	VFMADD231PS  Y9, Y13, Y7
	ADDQ         $4, SI
	ADDQ         R10, BX
	DECQ         CX
	JNZ          floats

	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
	ADDQ    DX, DI
	VMOVUPS Y2, (DI)
	VMOVUPS Y3, 32(DI)
	ADDQ    DX, DI
	VMOVUPS Y4, (DI)
	VMOVUPS Y5, 32(DI)
	ADDQ    DX, DI
	VMOVUPS Y6, (DI)
	VMOVUPS Y7, 32(DI)
	VZEROUPPER
	RET

// The largest of the eight numbers in Y0 goes to X0, by way of X1.
#define LARGEST \
	VEXTRACTF128 $1, Y0, X1 \
	VMAXPS       X1, X0, X0 \
	VPSHUFD      $0x4e, X0, X1 \
	VMAXPS       X1, X0, X0 \
	VPSHUFD      $0xb1, X0, X1 \
	VMAXPS       X1, X0, X0

// func quantiseRowAVX2(dst *int16, x *float32, n int, most float32) (scale float32)
TEXT ·quantiseRowAVX2(SB), NOSPLIT, $0-36
	MOVQ    dst+0(FP), DI
	MOVQ    x+8(FP), SI
	MOVQ    n+16(FP), CX
	SHRQ    $4, CX
	VMOVSS  most+24(FP), X6
	VMOVUPS absolute<>(SB), Y7
	VXORPS  Y0, Y0, Y0
	VXORPS  Y1, Y1, Y1
	MOVQ    SI, AX
	MOVQ    CX, DX

largest:
	VANDPS (AX), Y7, Y2
	VMAXPS Y2, Y0, Y0
	VANDPS 32(AX), Y7, Y3
	VMAXPS Y3, Y1, Y1
	ADDQ   $64, AX
	DECQ   DX
	JNZ    largest

	VMAXPS       Y1, Y0, Y0
	LARGEST
	VDIVSS       X6, X0, X2
	VMOVSS       X2, scale+32(FP)
	VXORPS       X3, X3, X3
	VUCOMISS     X3, X2
	JE           zero
	VDIVSS       X0, X6, X4
	VBROADCASTSS X4, Y4
	JMP          round

zero:
	VXORPS Y4, Y4, Y4

round:
	VMULPS    (SI), Y4, Y0
	VMULPS    32(SI), Y4, Y1
	VCVTPS2DQ Y0, Y0
	VCVTPS2DQ Y1, Y1
	VPACKSSDW Y1, Y0, Y0
	VPERMQ    $0xd8, Y0, Y0
	VMOVDQU   Y0, (DI)
	ADDQ      $64, SI
	ADDQ      $32, DI
	DECQ      CX
	JNZ       round
	VZEROUPPER
	RET

// e to each of the eight numbers in x, which are not above 0, by way of n and p. See exp.
#define EXP(x, n, p) \
	VMAXPS       least<>(SB), x, x \
	VMULPS       log2e<>(SB), x, n \
	VROUNDPS     $0, n, n \
	VFNMADD231PS ln2High<>(SB), n, x \
	VFNMADD231PS ln2Low<>(SB), n, x \
	VMOVUPS      term6<>(SB), p \
	VFMADD213PS  term5<>(SB), x, p \
	VFMADD213PS  term4<>(SB), x, p \
	VFMADD213PS  sixth<>(SB), x, p \
	VFMADD213PS  half<>(SB), x, p \
	VFMADD213PS  one<>(SB), x, p \
	VFMADD213PS  one<>(SB), x, p \
	VCVTPS2DQ    n, n \
	VPSLLD       $23, n, n \
	VPADDD       n, p, x

// func softmaxAVX2(x *float32, n int, scale float32) (sum float32)
TEXT ·softmaxAVX2(SB), NOSPLIT, $0-28
	MOVQ         x+0(FP), SI
	MOVQ         n+8(FP), CX
	SHRQ         $3, CX
	VBROADCASTSS scale+16(FP), Y6
	VMOVUPS      infinity<>(SB), Y0
	MOVQ         SI, AX
	MOVQ         CX, DX

most:
	VMULPS (AX), Y6, Y1
	VMAXPS Y1, Y0, Y0
	ADDQ   $32, AX
	DECQ   DX
	JNZ    most

	LARGEST
	VBROADCASTSS X0, Y7
	VXORPS       Y5, Y5, Y5

power:
	VMULPS  (SI), Y6, Y0
	VSUBPS  Y7, Y0, Y0
	EXP(Y0, Y1, Y2)
	VADDPS  Y0, Y5, Y5
	VMOVUPS Y0, (SI)
	ADDQ    $32, SI
	DECQ    CX
	JNZ     power

	VEXTRACTF128 $1, Y5, X1
	VADDPS       X1, X5, X5
	VHADDPS      X5, X5, X5
	VHADDPS      X5, X5, X5
	VMOVSS       X5, sum+24(FP)
	VZEROUPPER
	RET

// func geluAVX2(x *float32, n int)
TEXT ·geluAVX2(SB), NOSPLIT, $0-16
	MOVQ    x+0(FP), SI
	MOVQ    n+8(FP), CX
	SHRQ    $3, CX
	VMOVUPS absolute<>(SB), Y8
	VMOVUPS one<>(SB), Y9
	VMOVUPS half<>(SB), Y10
	VXORPS  Y11, Y11, Y11

normal:
	VMOVUPS      (SI), Y3
	VANDPS       Y3, Y8, Y4
	VMULPS       rootHalf<>(SB), Y4, Y4  // z
	VMOVUPS      slope<>(SB), Y5
	VFMADD213PS  Y9, Y4, Y5
	VDIVPS       Y5, Y9, Y5              // t
	VMULPS       Y4, Y4, Y0
	VSUBPS       Y0, Y11, Y0
	EXP(Y0, Y1, Y2)
	VMOVUPS      erf5<>(SB), Y6
	VFMADD213PS  erf4<>(SB), Y5, Y6
	VFMADD213PS  erf3<>(SB), Y5, Y6
	VFMADD213PS  erf2<>(SB), Y5, Y6
	VFMADD213PS  erf1<>(SB), Y5, Y6
	VMULPS       Y5, Y6, Y6
	VMULPS       Y0, Y6, Y6
	VMULPS       Y10, Y6, Y6             // Φ(-|x|)
	VSUBPS       Y6, Y9, Y7
	VBLENDVPS    Y3, Y6, Y7, Y7          // by the sign
	VMULPS       Y3, Y7, Y7
	VMOVUPS      Y7, (SI)
	ADDQ         $32, SI
	DECQ         CX
	JNZ          normal
	VZEROUPPER
	RET
