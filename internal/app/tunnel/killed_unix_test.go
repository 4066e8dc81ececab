//go:build unix

package tunnel

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"vademecum/internal/base/present"
)

// Environment variables that make the test binary behave as another program.
const (
	startsVariable = "VADEMECUM_TEST_STARTS" // a program that starts a tunnel and runs until it is killed
	tunnelVariable = "VADEMECUM_TEST_TUNNEL" // a tunnel, which writes to the named file when it is asked to end
)

func TestMain(m *testing.M) {
	switch {
	case os.Getenv(tunnelVariable) != "":
		asked := make(chan os.Signal, 1)
		signal.Notify(asked, syscall.SIGTERM)
		fmt.Println("url=https://a.example.com")
		<-asked
		_ = os.WriteFile(os.Getenv(tunnelVariable), []byte("signed off\n"), 0o600) // if this fails, the test fails
	case os.Getenv(startsVariable) != "":
		p, _ := FindProgram("ngrok")
		if _, err := p.Start(context.Background(), "127.0.0.1:1", func(line string) { fmt.Println(line) }, func() {}); err != nil {
			panic(err)
		}
		select {}
	default:
		os.Exit(m.Run())
	}
}

// TestKilled checks that a tunnel is asked to end when the program that has started it is killed.
func TestKilled(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "said")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	said, err := os.OpenFile(fifo, os.O_RDWR, 0)
	if err == nil {
		err = said.SetReadDeadline(time.Now().Add(time.Minute))
	}
	if err != nil {
		t.Fatal(err)
	}
	defer said.Close()
	fake(t, tunnelVariable+"="+present.ShellWord(fifo)+" exec "+present.ShellWord(os.Args[0]))
	starts := exec.Command(os.Args[0])
	starts.Env = append(os.Environ(), startsVariable+"=1")
	out, err := starts.StdoutPipe()
	if err == nil {
		err = starts.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	if line, _ := bufio.NewReader(out).ReadString('\n'); line != "url=https://a.example.com\n" {
		t.Errorf("the tunnel says %q", line)
	}
	if err := starts.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = starts.Wait() // the error is that it was killed
	if line, err := bufio.NewReader(said).ReadString('\n'); line != "signed off\n" {
		t.Errorf("the tunnel goes on: %q, %v", line, err)
	}
}
