package extract

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"
)

func TestSkipErrorsOfOneReasonMatch(t *testing.T) {
	sent := fmt.Errorf("read by a child: %w", &SkipError{Reason: ErrNestedTooDeeply.Reason})
	if !errors.Is(sent, ErrNestedTooDeeply) || errors.Is(sent, ErrEmptyFile) {
		t.Errorf("%v matches what it is not, or not what it is", sent)
	}
	if !IsLimitError(sent) || IsLimitError(ErrNoText) || IsLimitError(fs.ErrNotExist) {
		t.Error("not just the limits are limits")
	}
}
