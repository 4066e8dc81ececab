package e2e

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"os"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"
)

// drive is a file system in this process (fuse.4, kernel protocol 7.31) with one directory of small
// files. It can be made to hang, like a network drive.
type drive struct {
	dir    string
	device int
	gate   sync.Mutex // held while it hangs

	mu    sync.Mutex
	names []string // by node, from firstNode on; entries are never removed
	texts []string
	times []time.Time
}

const (
	rootNode  = 1
	firstNode = 2
)

// mountDrive mounts a drive, or skips the test where that cannot be done.
func mountDrive(t *testing.T, files map[string]string) *drive {
	t.Helper()
	d, err := tryMountDrive(t, files)
	if err != nil {
		t.Skip(err)
	}
	return d
}

func tryMountDrive(t *testing.T, files map[string]string) (*drive, error) {
	t.Helper()
	device, err := syscall.Open("/dev/fuse", syscall.O_RDWR|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("no FUSE here: %w", err)
	}
	d := &drive{dir: t.TempDir(), device: device}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		d.write(name, files[name])
	}
	options := fmt.Sprintf("fd=%d,rootmode=40000,user_id=%d,group_id=%d", device, os.Getuid(), os.Getgid())
	if err := syscall.Mount("drive", d.dir, "fuse", syscall.MS_NOSUID|syscall.MS_NODEV, options); err != nil {
		syscall.Close(device)
		return nil, fmt.Errorf("this user may not mount: %w", err)
	}
	served := make(chan struct{})
	go func() {
		defer close(served)
		d.serve()
	}()
	t.Cleanup(func() {
		if err := syscall.Unmount(d.dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
		<-served
		syscall.Close(device)
	})
	return d, nil
}

// write creates or replaces a file.
func (d *drive) write(name, text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if at := slices.Index(d.names, name); at >= 0 {
		d.names[at] = ""
	}
	d.names, d.texts, d.times = append(d.names, name), append(d.texts, text), append(d.times, time.Now())
}

func (d *drive) hang() { d.gate.Lock() }

func (d *drive) resume() { d.gate.Unlock() }

// Requests that are supported.
const (
	fuseLookup = iota + 1
	fuseForget
	fuseGetattr
	fuseOpen        = 14
	fuseRead        = 15
	fuseStatfs      = 17
	fuseRelease     = 18
	fuseFlush       = 25
	fuseInit        = 26
	fuseOpendir     = 27
	fuseReaddir     = 28
	fuseReleasedir  = 29
	fuseInterrupt   = 36
	fuseBatchForget = 42
)

const headerBytes = 40 // of a request

// serve answers requests until the drive is unmounted.
func (d *drive) serve() {
	buffer := make([]byte, 1<<18)
	for {
		n, err := syscall.Read(d.device, buffer)
		switch {
		case err == syscall.EINTR || err == syscall.ENOENT: // the request was cancelled
			continue
		case err != nil || n < headerBytes:
			return
		}
		request := buffer[:n]
		opcode := binary.NativeEndian.Uint32(request[4:])
		if opcode == fuseForget || opcode == fuseBatchForget || opcode == fuseInterrupt {
			continue
		}
		d.gate.Lock()
		body, errno := d.answer(opcode, binary.NativeEndian.Uint64(request[16:]), request[headerBytes:])
		d.gate.Unlock()
		out := numbers(uint32(16+len(body)), -int32(errno), binary.NativeEndian.Uint64(request[8:]))
		_, _ = syscall.Write(d.device, append(out, body...)) // the caller may be gone
	}
}

// numbers packs fixed-size values.
func numbers(values ...any) []byte {
	var out bytes.Buffer
	for _, v := range values {
		_ = binary.Write(&out, binary.NativeEndian, v) // writing to a buffer never fails
	}
	return out.Bytes()
}

func (d *drive) answer(opcode uint32, node uint64, body []byte) ([]byte, syscall.Errno) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch opcode {
	case fuseInit:
		return numbers(uint32(7), uint32(31), make([]byte, 12), uint32(1<<16), make([]byte, 40)), 0
	case fuseLookup:
		at := slices.Index(d.names, string(bytes.TrimRight(body, "\x00")))
		if at < 0 {
			return nil, syscall.ENOENT
		}
		return numbers(uint64(firstNode+at), make([]byte, 32), d.attributes(uint64(firstNode+at))), 0
	case fuseGetattr:
		return numbers(make([]byte, 16), d.attributes(node)), 0
	case fuseOpen, fuseOpendir:
		return make([]byte, 16), 0
	case fuseRead:
		return piece([]byte(d.texts[node-firstNode]), body), 0
	case fuseReaddir:
		return d.entries(body), 0
	case fuseStatfs:
		return make([]byte, 80), 0
	case fuseRelease, fuseReleasedir, fuseFlush:
		return nil, 0
	}
	return nil, syscall.ENOSYS
}

// piece returns the range of a read request.
func piece(text, body []byte) []byte {
	offset, size := binary.NativeEndian.Uint64(body[8:]), binary.NativeEndian.Uint32(body[16:])
	text = text[min(offset, uint64(len(text))):]
	return text[:min(int(size), len(text))]
}

// attributes returns the attributes of a node, not to be cached.
func (d *drive) attributes(node uint64) []byte {
	mode, size, changed := uint32(syscall.S_IFDIR|0o755), 0, time.Unix(0, 0)
	if node >= firstNode {
		mode, size, changed = syscall.S_IFREG|0o644, len(d.texts[node-firstNode]), d.times[node-firstNode]
	}
	seconds, nanos := uint64(changed.Unix()), uint32(changed.Nanosecond())
	return numbers(node, uint64(size), uint64(0), seconds, seconds, seconds, nanos, nanos, nanos, mode,
		uint32(1), uint32(os.Getuid()), uint32(os.Getgid()), make([]byte, 12))
}

// entries lists the directory from the offset of the request; each entry contains the
// offset of the next.
func (d *drive) entries(body []byte) []byte {
	offset, size := binary.NativeEndian.Uint64(body[8:]), int(binary.NativeEndian.Uint32(body[16:]))
	var out []byte
	for at := int(offset); at < len(d.names); at++ {
		if d.names[at] == "" {
			continue
		}
		entry := numbers(uint64(firstNode+at), uint64(at+1), uint32(len(d.names[at])), uint32(syscall.S_IFREG>>12), []byte(d.names[at]))
		entry = append(entry, make([]byte, -len(entry)&7)...)
		if len(out)+len(entry) > size {
			break
		}
		out = append(out, entry...)
	}
	return out
}

func (d *drive) folder() string { return d.dir }

// mountSlowDrive mounts a drive, where that can be done; it returns nil elsewhere.
func mountSlowDrive(t *testing.T) slowDrive {
	t.Helper()
	d, err := tryMountDrive(t, whaleNotes())
	if err != nil {
		t.Log(err)
		return nil
	}
	return d
}
