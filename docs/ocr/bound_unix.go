//go:build unix && !linux

package ocr

// bound does nothing: only Linux takes limits for another process. The size of the picture
// bounds what a page takes.
func bound(int) {}
