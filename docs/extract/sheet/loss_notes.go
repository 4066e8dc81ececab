package sheet

import "vademecum/internal/base/message"

// LossNotes list what could not be read in a workbook.
type LossNotes []message.Message

// Addf adds a note, unless the limit is reached.
func (l *LossNotes) Addf(format string, args ...any) {
	const most = 10
	if len(*l) < most {
		*l = append(*l, message.New(format, args...))
	}
}
