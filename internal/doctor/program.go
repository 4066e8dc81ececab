package doctor

import (
	"context"
	"runtime"

	"vademecum/internal/hosts"
	"vademecum/internal/message"
	"vademecum/internal/present"
)

// checkProgram tells whether a host can start the program where it is.
func (s *examination) checkProgram(_ context.Context, tell func(Finding)) {
	f := Finding{OK, aboutProgram, message.New("%s, version %s, %s/%s", "%s，版本 %s，%s/%s", present.QuoteName(s.Program), s.Version, runtime.GOOS, runtime.GOARCH), ""}
	if hosts.IsTemporaryPath(s.Program) {
		f.Level = Warning
		f.Says = message.New("%v; it lies in a temporary folder", "%v；它位于临时文件夹中", f.Says)
		f.Advice = message.New("move the program to a folder that stays, and give hosts that path", "请把程序移到不会被清理的文件夹，并在 AI 程序中使用那个路径")
	}
	tell(f)
}
