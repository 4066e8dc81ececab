package sheet

import "vademecum/internal/base/message"

// LossNotes tell what of a workbook could not be read.
type LossNotes []message.Message

// AddLossNote adds one, as far as there are not many.
func (l *LossNotes) AddLossNote(format string, args ...any) {
	const most = 10
	if len(*l) < most {
		*l = append(*l, message.New(format, args...))
	}
}
