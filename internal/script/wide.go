// Package script tells the writing systems of characters apart.
package script

// IsWide reports whether r is a Han, kana or hangul character.
func IsWide(r rune) bool {
	switch {
	case r < 0x1100:
		return false
	case 0x4E00 <= r && r <= 0x9FFF, 0x3400 <= r && r <= 0x4DBF: // Han
		return true
	case 0x3041 <= r && r <= 0x30FF, 0x31F0 <= r && r <= 0x31FF, 0xFF66 <= r && r <= 0xFF9D: // kana
		return true
	case 0xAC00 <= r && r <= 0xD7AF, r <= 0x11FF, 0x3130 <= r && r <= 0x318F: // hangul
		return true
	case 0x2E80 <= r && r <= 0x2FDF, 0x3005 <= r && r <= 0x3007, 0xF900 <= r && r <= 0xFAFF, 0x20000 <= r && r <= 0x3FFFF: // Han
		return true
	}
	return false
}
