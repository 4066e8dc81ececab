package extracttest

import (
	"os"
	"testing"
)

// RecognitionVariable demands, set to 1, that the programs are installed which recognise text
// and convert pictures for that.
const RecognitionVariable = "VADEMECUM_TEST_RECOGNITION"

// SkipNotInstalled skips a test of such a program if err says that there is none, or fails it
// if the programs are demanded, as in CI.
func SkipNotInstalled(t testing.TB, err error) {
	t.Helper()
	if err == nil {
		return
	}
	if os.Getenv(RecognitionVariable) == "1" {
		t.Fatal(err)
	}
	t.Skip(err)
}
