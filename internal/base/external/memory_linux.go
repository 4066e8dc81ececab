//go:build !race

package external

// maxMemory is the limit for the address space of a process, in bytes. Recognising a page takes 150
// MB.
const maxMemory = 2 << 30
