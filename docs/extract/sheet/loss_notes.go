package sheet

import "vademecum/internal/base/message"

// LossNotes are notes on what could not be read in a workbook.
type LossNotes []message.Message

// Addf adds a note, formatted like a message, unless there are many already.
func (l *LossNotes) Addf(format string, args ...any) {
	const most = 10
	if len(*l) < most {
		*l = append(*l, message.New(format, args...))
	}
}
