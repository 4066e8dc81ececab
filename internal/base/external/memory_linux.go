//go:build !race

package external

// maxMemory is the address space in bytes that a process may take. A page takes 150 MB.
const maxMemory = 2 << 30
