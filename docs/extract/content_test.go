package extract

import (
	"errors"
	"testing"

	"vademecum/internal/base/message"
)

func TestNotes(t *testing.T) {
	slides := Slide.Noun()
	for _, c := range []struct {
		note             message.Message
		english, chinese string
	}{
		{slides.IncompleteNote(nil), "", ""},
		{slides.IncompleteNote([]int{3}), "slide 3 could not be read completely", "第 3 张幻灯片未能完整读取"},
		{slides.IncompleteNote([]int{3, 4}), "2 slides could not be read completely", "2 张幻灯片未能完整读取"},
		{UnfinishedNote(errors.New("EOF")), "the rest could not be read: EOF", "其余部分无法读取：EOF"},
		{FirstPagesNote(3, 9, ErrTooMuchText.Reason), "only pages 1 to 3 of 9: more than 32 MB of text", "共 9 页，只读取了第 1–3 页：文字超过 32 MB"},
	} {
		if e, z := c.note.InLanguage(message.English), c.note.InLanguage(message.Chinese); e != c.english || z != c.chinese {
			t.Errorf("%q and %q, want %q and %q", e, z, c.english, c.chinese)
		}
	}
}
