//go:build amd64 || arm64

package e2e

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// withoutSockets is the environment variable that makes the kernel kill the program when it, or a
// child of it, opens a network socket.
const withoutSockets = "VADEMECUM_TEST_WITHOUT_SOCKETS"

// The filter is set before the program proper begins, as it holds only for the
// thread that sets it and for what that one executes.
func init() {
	if os.Getenv(withoutSockets) == "" {
		return
	}
	_ = os.Unsetenv(withoutSockets)
	runtime.LockOSThread()
	if err := forbidSockets(); err != nil {
		os.Stderr.WriteString("cannot forbid sockets: " + err.Error() + "\n")
		os.Exit(exitCannotForbid)
	}
	panic(syscall.Exec("/proc/self/exe", os.Args, os.Environ()))
}

const exitCannotForbid = 77

// From linux/prctl.h, linux/seccomp.h and linux/bpf_common.h.
const (
	prSetNoNewPrivs    = 38
	prSetSeccomp       = 22
	seccompModeFilter  = 2
	seccompKillProcess = 0x80000000
	seccompAllow       = 0x7fff0000
	loadWord           = 0x20 // BPF_LD | BPF_W | BPF_ABS
	jumpIfEqual        = 0x15 // BPF_JMP | BPF_JEQ | BPF_K
	returnConstant     = 0x06 // BPF_RET | BPF_K
)

// firstArgument is where the filter's input has the first argument of a system call, in bytes.
const firstArgument = 16

// forbidSockets makes the kernel kill the process at the system call socket, whose number
// is the first word of the filter's input, but for sockets that lead nowhere but to processes of
// this machine.
func forbidSockets() error {
	filter := []syscall.SockFilter{
		{Code: loadWord},
		{Code: jumpIfEqual, Jf: 3, K: syscall.SYS_SOCKET},
		{Code: loadWord, K: firstArgument},
		{Code: jumpIfEqual, Jt: 1, K: syscall.AF_UNIX},
		{Code: returnConstant, K: seccompKillProcess},
		{Code: returnConstant, K: seccompAllow},
	}
	program := syscall.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if _, _, errno := syscall.RawSyscall6(syscall.SYS_PRCTL, prSetNoNewPrivs, 1, 0, 0, 0, 0); errno != 0 {
		return errno
	}
	_, _, errno := syscall.RawSyscall(syscall.SYS_PRCTL, prSetSeccomp, seccompModeFilter, uintptr(unsafe.Pointer(&program)))
	runtime.KeepAlive(filter)
	if errno != 0 {
		return errno
	}
	return nil
}

// confined is a command without sockets, or without any network interface.
type confined struct {
	name string
	make func(t *testing.T, c *exec.Cmd) *exec.Cmd
}

var confinements = []confined{
	{"no sockets", func(t *testing.T, c *exec.Cmd) *exec.Cmd {
		c.Env = append(c.Env, withoutSockets+"=1")
		return c
	}},
	{"no network", func(t *testing.T, c *exec.Cmd) *exec.Cmd {
		c.SysProcAttr = &syscall.SysProcAttr{
			Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET,
			UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
			GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
		}
		return c
	}},
}

// TestBuiltinNeedsNoNetwork searches and serves without sockets of a network, and without a
// network, and compares the answers with those of an undisturbed program.
func TestBuiltinNeedsNoNetwork(t *testing.T) {
	t.Parallel()
	for _, way := range confinements {
		t.Run(way.name, func(t *testing.T) {
			try := way.make(t, vademecum(t, "version"))
			if out, err := try.CombinedOutput(); err != nil {
				t.Skipf("not allowed here: %s %v", out, err)
			}
			p := newProvider(t)
			control := way.make(t, vademecum(t, "index", manyNotes(t, 1), "--index", indexFile(t), "--embed", p.spec("model")))
			if out, err := control.CombinedOutput(); err == nil || p.requests() > 0 {
				t.Fatalf("the program is not confined: %s", out)
			}
			dir := manyNotes(t, 50)
			search := func() *exec.Cmd { return vademecum(t, "search", dir, "the visit on warfarin", "--index", indexFile(t)) }
			want, err := search().Output()
			if err != nil {
				t.Fatal(err)
			}
			if got, err := way.make(t, search()).CombinedOutput(); err != nil || string(got) != string(want) {
				t.Errorf("%v, it answers\n%s\nwant\n%s", err, got, want)
			}
			free := sessionOf(t, vademecum(t, "serve", dir, "--index", indexFile(t)))
			if got := sessionOf(t, way.make(t, vademecum(t, "serve", dir, "--index", indexFile(t)))); got != free {
				t.Errorf("it serves\n%s\nwant\n%s", got, free)
			}
		})
	}
}

// sessionOf returns what a server that is up to date answers to some questions.
func sessionOf(t *testing.T, c *exec.Cmd) string {
	t.Helper()
	s := connect(t, c)
	if _, err := s.await(time.Now(), "warfarin", found.isHybrid); err != nil {
		t.Fatal(err)
	}
	list, answers, err := s.state()
	if err != nil {
		t.Fatal(err)
	}
	out := strings.Builder{}
	out.WriteString(list)
	for _, f := range answers {
		out.WriteString(f.String())
	}
	return out.String()
}
