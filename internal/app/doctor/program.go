package doctor

import (
	"context"
	"runtime"

	"vademecum/internal/app/hosts"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// checkProgram reports whether a host can start the program from its present path.
func (s *examination) checkProgram(_ context.Context, report func(Finding)) {
	f := Finding{LevelOK, aboutProgram, message.New("%s, version %s, %s/%s", present.QuoteName(s.ProgramPath), s.Version, runtime.GOOS, runtime.GOARCH), ""}
	if hosts.IsTemporaryPath(s.ProgramPath) {
		f.Level = LevelWarning
		f.Description = message.New("%v; it is in a temporary folder", f.Description)
		f.Advice = message.New("move the program to a permanent folder, and give hosts that path")
	}
	report(f)
}
