package external

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"vademecum/docs/ocr/ocrtest"
)

// TestProgramEndsWithServer: a page that hangs does not outlive the server that is killed.
func TestProgramEndsWithServer(t *testing.T) {
	server := exec.Command(os.Args[0])
	server.Env = append(os.Environ(), orphanVariable+"="+ocrtest.Program(t, ocrtest.Hanging))
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	var pid int
	if _, err := fmt.Sscan(line, &pid); err != nil {
		t.Errorf("the program says %q", line)
	} else if !isAlive(pid) {
		t.Error("the program has ended before the server")
	}
	if err := server.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = server.Wait() // it was killed
	for began := time.Now(); pid != 0 && isAlive(pid); time.Sleep(time.Millisecond) {
		if time.Since(began) > time.Minute {
			t.Fatal("the program outlives the server")
		}
	}
}

// isAlive tells whether a process runs; one that nobody waits for does not.
func isAlive(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && !strings.Contains(string(stat), ") Z ")
}
