package pdf

import (
	"sync/atomic"

	"github.com/tetratelabs/wazero/experimental"
)

// keptMemory is the memory of the last instance of the engine, cleared for the next one; nil while
// an instance uses it. An instance begins with 18 MB. To get them from the system, page by page,
// takes longer than to read a short file.
var keptMemory atomic.Pointer[engineMemory]

// maxKeptMemory is the maximum number of bytes of memory that are kept for the next instance.
const maxKeptMemory = 64 << 20

// allocateMemory returns memory for an instance of the engine, which may grow to most bytes. It
// implements experimental.MemoryAllocatorFunc.
func allocateMemory(_, most uint64) experimental.LinearMemory {
	m := keptMemory.Swap(nil)
	if m == nil {
		m = &engineMemory{}
	}
	m.most = most
	return m
}

// engineMemory is the memory of an instance of the engine.
type engineMemory struct {
	bytes []byte // memory in use; the bytes beyond its length are zero
	most  uint64
}

// Reallocate implements experimental.LinearMemory.
func (m *engineMemory) Reallocate(size uint64) []byte {
	if size > uint64(cap(m.bytes)) {
		larger := make([]byte, size, min(max(size, 2*uint64(cap(m.bytes))), m.most))
		copy(larger, m.bytes)
		m.bytes = larger
	}
	m.bytes = m.bytes[:size]
	return m.bytes
}

// Free implements experimental.LinearMemory.
func (m *engineMemory) Free() {
	if cap(m.bytes) > maxKeptMemory {
		return
	}
	clear(m.bytes)
	m.bytes = m.bytes[:0]
	keptMemory.Store(m)
}
