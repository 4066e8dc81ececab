package sheet

import "vademecum/internal/base/message"

// LossNotes list what could not be read of a workbook.
type LossNotes []message.Message

// AddLossNote adds a note, up to a limit.
func (l *LossNotes) AddLossNote(format string, args ...any) {
	const most = 10
	if len(*l) < most {
		*l = append(*l, message.New(format, args...))
	}
}
