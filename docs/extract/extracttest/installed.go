package extracttest

import (
	"os"
	"testing"
)

// RecognitionVariable is an environment variable. If it is "1", tests fail instead of being skipped
// if the programs for text recognition, and for converting pictures for it, are not installed.
const RecognitionVariable = "VADEMECUM_TEST_RECOGNITION"

// SkipNotInstalled skips a test if err reports that such a program is missing, or fails it if the
// programs are required, as in CI.
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
