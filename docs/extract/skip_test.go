package extract

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"
)

func TestSkipErrorsOfOneReasonMatch(t *testing.T) {
	sent := fmt.Errorf("read by a child: %w", &SkipError{Reason: ErrTooDeep.Reason})
	if !errors.Is(sent, ErrTooDeep) || errors.Is(sent, ErrEmpty) {
		t.Errorf("%v matches what it is not, or not what it is", sent)
	}
	if !IsLimit(sent) || IsLimit(ErrNoText) || IsLimit(fs.ErrNotExist) {
		t.Error("not just the limits are limits")
	}
}
