package xls

import (
	"crypto/md5"
	"crypto/rc4"
	"crypto/sha1"
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf16"
)

// defaultPassword is the password with which Excel encrypts a workbook that has no password of its
// own, but whose structure or windows are protected. Excel tries it before it asks for one
// ([MS-OFFCRYPTO] 2.4.2.3).
const defaultPassword = "VelvetSweatshop"

// A recordCipher decrypts a part of the data of a record in place, given its position in the stream
// and the length of all the data of the record.
type recordCipher interface {
	decrypt(b []byte, position, recordLength int)
}

// newRecordCipher returns the cipher that a FilePass record describes ([MS-XLS] 2.4.117), or nil if
// the password is wrong or the cipher is unknown.
func newRecordCipher(record []byte, password string, isBIFF8 bool) recordCipher {
	const xorSize, xorEncryption, rc4Encryption = 4, 0, 1
	switch {
	case !isBIFF8 && len(record) == xorSize:
		return newXORCipher(record, password)
	case isBIFF8 && len(record) == 2+xorSize && binary.LittleEndian.Uint16(record) == xorEncryption:
		return newXORCipher(record[2:], password)
	case isBIFF8 && len(record) > 2 && binary.LittleEndian.Uint16(record) == rc4Encryption:
		if c := newBlockCipher(record, password); c != nil {
			return c
		}
	}
	return nil
}

// An xorCipher implements the obfuscation of Excel 5 and 95 ([MS-OFFCRYPTO] 2.3.7.3).
type xorCipher [16]byte

// newXORCipher returns the cipher for the key and the verifier in d, given a password of 15
// characters, or nil if the password is wrong.
func newXORCipher(d []byte, password string) recordCipher {
	const length, pad, verifierKey = 15, 0xBB, 0xCE4B
	if len(password) != length {
		return nil
	}
	verifier := uint16(0)
	for i := length; i >= 0; i-- {
		b := uint16(length)
		if i > 0 {
			b = uint16(password[i-1])
		}
		verifier = (verifier>>14&1 | verifier<<1&0x7FFF) ^ b
	}
	if binary.LittleEndian.Uint16(d[2:]) != verifier^verifierKey {
		return nil
	}
	c := new(xorCipher)
	for i, b := range []byte(password + string([]byte{pad})) {
		c[i] = bits.RotateLeft8(b^d[i%2], -1)
	}
	return c
}

func (c *xorCipher) decrypt(b []byte, position, recordLength int) {
	for i := range b {
		b[i] = bits.RotateLeft8(b[i]^c[(position+recordLength+i)%len(c)], 3)
	}
}

// A blockCipher decrypts a workbook with RC4, with a new key for each block ([MS-OFFCRYPTO] 2.3.5
// and 2.3.6).
type blockCipher struct {
	keyOf   func(block uint32) []byte
	current *rc4.Cipher
	block   uint32
	at      int // position in the current block up to which the key stream was used
}

const (
	cipherBlock = 1024 // number of bytes of the stream that are encrypted with the same key
	smallestKey = 5    // length of the shortest keys in bytes
)

// newBlockCipher returns the cipher that a record describes, or nil if the password is wrong or the
// record is damaged.
func newBlockCipher(record []byte, password string) *blockCipher {
	const rc4Size, headerLength = 54, 10
	if len(record) < rc4Size {
		return nil
	}
	if binary.LittleEndian.Uint16(record[2:]) == 1 {
		salt, verifier := record[6:22], record[22:rc4Size]
		c := &blockCipher{keyOf: md5Keys(salt, password)}
		verifier = c.decrypted(verifier)
		if sum := md5.Sum(verifier[:16]); !slices.Equal(sum[:], verifier[16:]) {
			return nil
		}
		return c
	}
	header := int(binary.LittleEndian.Uint32(record[headerLength:]))
	const cryptoHeader, keySizeAt, verifierSize = 32, 16, 60
	at := headerLength + 4 + header
	if header < cryptoHeader || header > len(record) || at+verifierSize > len(record) {
		return nil
	}
	keySize := int(binary.LittleEndian.Uint32(record[headerLength+4+keySizeAt:])) / 8
	if keySize == 0 {
		keySize = smallestKey
	}
	if keySize < smallestKey || keySize > 16 {
		return nil
	}
	salt, verifier := record[at+4:at+20], slices.Concat(record[at+20:at+36], record[at+40:at+verifierSize])
	c := &blockCipher{keyOf: sha1Keys(salt, password, keySize)}
	verifier = c.decrypted(verifier)
	if sum := sha1.Sum(verifier[:16]); !slices.Equal(sum[:], verifier[16:]) {
		return nil
	}
	return c
}

// passwordBytes returns a password in little-endian UTF-16.
func passwordBytes(password string) (b []byte) {
	for _, unit := range utf16.Encode([]rune(password)) {
		b = binary.LittleEndian.AppendUint16(b, unit)
	}
	return b
}

// md5Keys returns the function that derives the key of each block for Excel 97 and 2000
// ([MS-OFFCRYPTO] 2.3.6.2).
func md5Keys(salt []byte, password string) func(block uint32) []byte {
	const kept = smallestKey
	sum := md5.Sum(passwordBytes(password))
	sum = md5.Sum(slices.Repeat(slices.Concat(sum[:kept], salt), 16))
	return func(block uint32) []byte {
		key := md5.Sum(binary.LittleEndian.AppendUint32(slices.Clone(sum[:kept]), block))
		return key[:]
	}
}

// sha1Keys returns the function that derives the key of each block, of size bytes, for Excel 2002
// and later ([MS-OFFCRYPTO] 2.3.5.2).
func sha1Keys(salt []byte, password string, size int) func(block uint32) []byte {
	sum := sha1.Sum(slices.Concat(salt, passwordBytes(password)))
	return func(block uint32) []byte {
		hash := sha1.Sum(binary.LittleEndian.AppendUint32(slices.Clone(sum[:]), block))
		key := hash[:size]
		if size == smallestKey { // the shortest keys are padded to 16 bytes
			key = append(slices.Clone(key), make([]byte, 11)...)
		}
		return key
	}
}

// decrypted returns a decrypted copy of b, as if b were at the start of the first block.
func (c *blockCipher) decrypted(b []byte) []byte {
	b = slices.Clone(b)
	c.decrypt(b, 0, len(b))
	return b
}

func (c *blockCipher) decrypt(b []byte, position, _ int) {
	for len(b) > 0 {
		block, at := uint32(position/cipherBlock), position%cipherBlock
		if c.current == nil || block != c.block || at < c.at {
			c.current, _ = rc4.NewCipher(c.keyOf(block)) // cannot fail: keys have 5 to 16 bytes
			c.block, c.at = block, 0
		}
		skipped := make([]byte, at-c.at)
		c.current.XORKeyStream(skipped, skipped)
		n := min(len(b), cipherBlock-at)
		c.current.XORKeyStream(b[:n], b[:n])
		c.at, position, b = at+n, position+n, b[n:]
	}
}

// plainRecords are the kinds of records that are not encrypted ([MS-XLS] 2.2.10).
var plainRecords = []uint16{recBegin, recPassword, 0x00E1, 0x0138, 0x0194, 0x0195, 0x0196}

// decryptRecords returns a workbook with the data of its records decrypted. Record headers and the
// offsets of sheets are not encrypted.
func decryptRecords(data []byte, c recordCipher) []byte {
	data = slices.Clone(data)
	s := recordStream{data}
	for {
		kind, content, ok := s.readRawRecord()
		if !ok {
			return data
		}
		if slices.Contains(plainRecords, kind) {
			continue
		}
		position, length := len(data)-len(s.rest)-len(content), len(content)
		if kind == recSheet {
			skip := min(4, len(content))
			content, position = content[skip:], position+skip
		}
		c.decrypt(content, position, length)
	}
}
