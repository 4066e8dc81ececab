package sheet

import "vademecum/internal/message"

// LossNotes tell what of a workbook could not be read.
type LossNotes []message.Message

// AddLossNote adds one in both languages, as far as there are not many.
func (l *LossNotes) AddLossNote(english, chinese string, args ...any) {
	const most = 10
	if len(*l) < most {
		*l = append(*l, message.New(english, chinese, args...))
	}
}
