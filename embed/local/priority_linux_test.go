package local

import (
	"syscall"
	"testing"
)

// The thread of passages stays behind others, and no other does.
func TestStayBehind(t *testing.T) {
	priority := func() int { // 20 less the niceness (getpriority(2), "C library/kernel differences")
		p, err := syscall.Getpriority(syscall.PRIO_PROCESS, 0)
		if err != nil {
			t.Error(err)
		}
		return p
	}
	own, theirs := priority(), make(chan int)
	go func() {
		lowerThreadPriority()
		theirs <- priority()
	}()
	if p := <-theirs; p != min(own, 20-niceness) {
		t.Errorf("priority %d, want %d", p, min(own, 20-niceness))
	}
	if p := priority(); p != own {
		t.Errorf("the test has priority %d now, after %d", p, own)
	}
}
