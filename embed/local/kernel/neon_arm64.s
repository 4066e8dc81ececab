#include "textflag.h"

// Instructions that Go's assembler does not know, by the numbers of their registers. The
// first two multiply numbers of 16 bits, of the lower and the upper half of vn, with the
// one at an index in vm, and add the products of 32 bits to vd.
#define ELEMENT(index) ((((index)>>2)&1)<<11 | (((index)>>1)&1)<<21 | ((index)&1)<<20)
#define SMLAL(index, vm, vn, vd)  WORD $(0x0f402000 | ELEMENT(index) | (vm)<<16 | (vn)<<5 | (vd))
#define SMLAL2(index, vm, vn, vd) WORD $(0x4f402000 | ELEMENT(index) | (vm)<<16 | (vn)<<5 | (vd))
#define SXTL(vn, vd)              WORD $(0x0f08a400 | (vn)<<5 | (vd))
#define SXTL2(vn, vd)             WORD $(0x4f08a400 | (vn)<<5 | (vd))
#define SCVTF(v)                  WORD $(0x4e21d800 | (v)<<5 | (v))
#define FMUL(vm, vn, vd)          WORD $(0x6e20dc00 | (vm)<<16 | (vn)<<5 | (vd))

// The product of an input of a row with the weights of 16 columns in V of w and w+1.
#define COLUMNS(index, row, w) \
	SMLAL(index, row, w, 16+4*row) \
	SMLAL2(index, row, w, 17+4*row) \
	SMLAL(index, row, w+1, 18+4*row) \
	SMLAL2(index, row, w+1, 19+4*row)

// A pair of inputs, 4 rows, 16 columns.
#define STEP(index) \
	VLD2.P 32(R4), [V8.B16, V9.B16] \
	SXTL(8, 4) \
	SXTL2(8, 5) \
	SXTL(9, 6) \
	SXTL2(9, 7) \
	COLUMNS(index, 0, 4) \
	COLUMNS(index, 1, 4) \
	COLUMNS(index, 2, 4) \
	COLUMNS(index, 3, 4) \
	COLUMNS(index+1, 0, 6) \
	COLUMNS(index+1, 1, 6) \
	COLUMNS(index+1, 2, 6) \
	COLUMNS(index+1, 3, 6)

#define CLEAR \
	VEOR V16.B16, V16.B16, V16.B16 \
	VEOR V17.B16, V17.B16, V17.B16 \
	VEOR V18.B16, V18.B16, V18.B16 \
	VEOR V19.B16, V19.B16, V19.B16 \
	VEOR V20.B16, V20.B16, V20.B16 \
	VEOR V21.B16, V21.B16, V21.B16 \
	VEOR V22.B16, V22.B16, V22.B16 \
	VEOR V23.B16, V23.B16, V23.B16 \
	VEOR V24.B16, V24.B16, V24.B16 \
	VEOR V25.B16, V25.B16, V25.B16 \
	VEOR V26.B16, V26.B16, V26.B16 \
	VEOR V27.B16, V27.B16, V27.B16 \
	VEOR V28.B16, V28.B16, V28.B16 \
	VEOR V29.B16, V29.B16, V29.B16 \
	VEOR V30.B16, V30.B16, V30.B16 \
	VEOR V31.B16, V31.B16, V31.B16

// The sums of a row in four registers, scaled, with their biases, go to dst.
#define STORE(row, a, b, c, d) \
	SCVTF(16+4*row) \
	SCVTF(17+4*row) \
	SCVTF(18+4*row) \
	SCVTF(19+4*row) \
	VLD1R.P 4(R5), [V12.S4] \
	FMUL(12, 4, 0) \
	FMUL(12, 5, 1) \
	FMUL(12, 6, 2) \
	FMUL(12, 7, 3) \
	VLD1    (R6), [V12.S4, V13.S4, V14.S4, V15.S4] \
	VFMLA   V0.S4, a, V12.S4 \
	VFMLA   V1.S4, b, V13.S4 \
	VFMLA   V2.S4, c, V14.S4 \
	VFMLA   V3.S4, d, V15.S4 \
	VST1    [V12.S4, V13.S4, V14.S4, V15.S4], (R0) \
	ADD     R1, R0

// func multiplyTileInt8NEON(dst *float32, dstStride int, values *int16, stride int, weights *int8, scales, columns *float32)
TEXT ·multiplyTileInt8NEON(SB), NOSPLIT, $0-56
	MOVD dst+0(FP), R0
	MOVD dstStride+8(FP), R1
	MOVD values+16(FP), R8
	MOVD stride+24(FP), R3
	MOVD weights+32(FP), R4
	MOVD scales+40(FP), R5
	MOVD columns+48(FP), R6
	LSR  $3, R3, R7
	LSL  $2, R1
	LSL  $1, R3
	ADD  R3, R8, R9
	ADD  R3, R9, R10
	ADD  R3, R10, R11
	CLEAR

bytes:
	VLD1.P 16(R8), [V0.H8]
	VLD1.P 16(R9), [V1.H8]
	VLD1.P 16(R10), [V2.H8]
	VLD1.P 16(R11), [V3.H8]
	STEP(0)
	STEP(2)
	STEP(4)
	STEP(6)
	SUBS $1, R7
	BNE  bytes

	VLD1.P 64(R6), [V4.S4, V5.S4, V6.S4, V7.S4]
	STORE(0, V16.S4, V17.S4, V18.S4, V19.S4)
	STORE(1, V20.S4, V21.S4, V22.S4, V23.S4)
	STORE(2, V24.S4, V25.S4, V26.S4, V27.S4)
	STORE(3, V28.S4, V29.S4, V30.S4, V31.S4)
	RET

// func multiplyTileFloat32NEON(dst *float32, dstStride int, a *float32, aStride int, b *float32, bStride, k int)
TEXT ·multiplyTileFloat32NEON(SB), NOSPLIT, $0-56
	MOVD dst+0(FP), R0
	MOVD dstStride+8(FP), R1
	MOVD a+16(FP), R8
	MOVD aStride+24(FP), R3
	MOVD b+32(FP), R4
	MOVD bStride+40(FP), R5
	MOVD k+48(FP), R7
	LSL  $2, R1
	LSL  $2, R3
	LSL  $2, R5
	ADD  R3, R8, R9
	ADD  R3, R9, R10
	ADD  R3, R10, R11
	CLEAR

floats:
	VLD1    (R4), [V4.S4, V5.S4, V6.S4, V7.S4]
	ADD     R5, R4
	VLD1R.P 4(R8), [V0.S4]
	VLD1R.P 4(R9), [V1.S4]
	VLD1R.P 4(R10), [V2.S4]
	VLD1R.P 4(R11), [V3.S4]
	VFMLA   V4.S4, V0.S4, V16.S4
	VFMLA   V5.S4, V0.S4, V17.S4
	VFMLA   V6.S4, V0.S4, V18.S4
	VFMLA   V7.S4, V0.S4, V19.S4
	VFMLA   V4.S4, V1.S4, V20.S4
	VFMLA   V5.S4, V1.S4, V21.S4
	VFMLA   V6.S4, V1.S4, V22.S4
	VFMLA   V7.S4, V1.S4, V23.S4
	VFMLA   V4.S4, V2.S4, V24.S4
	VFMLA   V5.S4, V2.S4, V25.S4
	VFMLA   V6.S4, V2.S4, V26.S4
	VFMLA   V7.S4, V2.S4, V27.S4
	VFMLA   V4.S4, V3.S4, V28.S4
	VFMLA   V5.S4, V3.S4, V29.S4
	VFMLA   V6.S4, V3.S4, V30.S4
	VFMLA   V7.S4, V3.S4, V31.S4
	SUBS    $1, R7
	BNE     floats

	VST1 [V16.S4, V17.S4, V18.S4, V19.S4], (R0)
	ADD  R1, R0
	VST1 [V20.S4, V21.S4, V22.S4, V23.S4], (R0)
	ADD  R1, R0
	VST1 [V24.S4, V25.S4, V26.S4, V27.S4], (R0)
	ADD  R1, R0
	VST1 [V28.S4, V29.S4, V30.S4, V31.S4], (R0)
	RET
