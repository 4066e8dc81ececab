package external

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"vademecum/docs/ocr/ocrtest"
	"vademecum/internal/base/message"
)

// TestReason: what a program says in its own language is told as a quotation in Chinese.
func TestReason(t *testing.T) {
	_, err := Command{DisplayName: "tesseract", Path: ocrtest.Program(t, ocrtest.Crashing), Args: []string{"stdin", "stdout", "-l", "eng"}, Input: []byte("a picture"), Timeout: time.Minute}.Run(t.Context())
	why := message.FromError(err)
	if got, want := why.InLanguage(message.English), "tesseract failed (exit status 139): Segmentation\uFFFD[31m fault"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := why.InLanguage(message.Chinese), "tesseract 出错（退出码 139），原文：“Segmentation\uFFFD[31m fault”"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestMain(m *testing.M) {
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
