package e2e

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

// countsFile makes the program report its resources at an address that it writes into the
// file named by the variable.
const countsFile = "VADEMECUM_COUNTS"

// counts are the resources that a program holds after a garbage collection.
type counts struct {
	Goroutines int
	Heap       int // bytes
}

// tellCounts answers requests until the program ends.
func tellCounts(file string) error {
	on, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	go func() {
		_ = http.Serve(on, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			debug.FreeOSMemory()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			_ = json.NewEncoder(w).Encode(counts{runtime.NumGoroutine(), int(m.HeapAlloc + m.StackInuse)})
		}))
	}()
	return os.WriteFile(file, []byte(on.Addr().String()), 0o600)
}

// counting makes a command report its resources, and returns a function that requests
// them.
func counting(t testing.TB, c *exec.Cmd) (ask func() counts) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "counts")
	c.Env = append(c.Env, countsFile+"="+file)
	through := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	return func() (n counts) {
		t.Helper()
		at, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := through.Get("http://" + string(at))
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		if err := json.NewDecoder(answer.Body).Decode(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
}

func (n counts) String() string {
	return fmt.Sprintf("%d goroutines, %d kB of heap and stacks", n.Goroutines, n.Heap>>10)
}

// peerProgram is the program of another server to be measured beside this one; "" for none. It must
// accept the messages of qmd.
var peerProgram = strings.TrimSpace(os.Getenv("VADEMECUM_PEER"))
