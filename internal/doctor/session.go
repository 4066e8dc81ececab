package doctor

import (
	"context"
	"os/exec"
	"time"

	"vademecum/index/notice"
	"vademecum/internal/message"
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
		tell(Finding{Fault, aboutSession, message.New("a server that was started as a host starts it failed: %v", "按 AI 程序的方式启动服务器失败：%v", notice.ErrorLine(err)), message.New("the lines that it wrote say why; --log-level debug has it write more", "原因见它输出的内容；--log-level debug 会输出更多")})
		return
	}
	tell(Finding{OK, aboutSession, message.New("a server that was started as a host starts it answered after %d ms; %v", "按 AI 程序的方式启动的服务器在 %d 毫秒后应答；%v", time.Since(start).Milliseconds(), notice.Count(tools, "tool", " 个工具")), ""})
}
