package external

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"vademecum/docs/ocr/ocrtest"
)

func TestMain(m *testing.M) {
	ocrtest.Run()
	leaveOrphan()
	os.Exit(m.Run())
}

// orphanVariable names the program that a process of the tests is to start, as a server does,
// and to wait for.
const orphanVariable = "VADEMECUM_TEST_OCR"

// leaveOrphan starts that program, if one is named, and does not return then.
func leaveOrphan() {
	path := os.Getenv(orphanVariable)
	if path == "" {
		return
	}
	command := exec.Command(path, "stdin")
	command.SysProcAttr = attributes()
	command.Stdin, command.Stdout = strings.NewReader("a picture"), os.Stdout
	fmt.Println(finish(command))
	os.Exit(0)
}
