package doctor

import (
	"context"
	"fmt"
	"os/exec"
	"time"

	"vademecum/index/notice"
	"vademecum/internal/present"
	"vademecum/mcp"
)

// checkServer starts a server as a host does, and asks it.
func (s *examination) checkServer(ctx context.Context, tell func(Finding)) {
	if s.unusable { // which is told
		return
	}
	start := time.Now()
	tools, err := mcp.TryServer(ctx, exec.CommandContext(ctx, s.Program, s.Serve...), trial)
	if err != nil {
		tell(Finding{Fault, "session", fmt.Sprintf("a server that was started as a host starts it failed: %s", present.ErrorLine(err)), "the lines that it wrote say why; --log-level debug has it write more"})
		return
	}
	tell(Finding{OK, "session", fmt.Sprintf("a server that was started as a host starts it answered after %d ms; %s", time.Since(start).Milliseconds(), notice.CountNoun(tools, "tool")), ""})
}
