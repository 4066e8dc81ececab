package doctor

import (
	"context"
	"os/exec"
	"time"

	"vademecum/index/notice"
	"vademecum/internal/base/message"
	"vademecum/mcp"
)

// checkServer starts a server as a host would, and asks it a question.
func (s *examination) checkServer(ctx context.Context, report func(Finding)) {
	if s.unusable { // already reported
		return
	}
	start := time.Now()
	tools, err := mcp.TryServer(ctx, exec.CommandContext(ctx, s.ProgramPath, s.ServerArgs...), trial)
	if err != nil {
		report(Finding{LevelFault, aboutSession, message.New("a server that was started as a host starts it failed: %v", notice.ErrorLine(err)), message.New("its output says why; --log-level debug makes it write more")})
		return
	}
	report(Finding{LevelOK, aboutSession, message.New("a server that was started as a host starts it answered after %d ms; %v", time.Since(start).Milliseconds(), message.New("%d tools", tools)), ""})
}
