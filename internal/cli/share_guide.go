package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"vademecum/internal/message"
	"vademecum/internal/present"
	"vademecum/internal/tunnel"
	"vademecum/internal/web"
	"vademecum/internal/web/signin"
)

// numberedSteps prints what was done, and what the user has to do, as a numbered list.
type numberedSteps struct {
	*program
	out   io.Writer
	count int
}

func (s *numberedSteps) printStep(english, chinese string, args ...any) {
	s.count++
	fmt.Fprintf(s.out, "%d. %s\n", s.count, typeableCommands(s.localise(english, chinese, args...)))
}

// printAddress prints the folders and the public address.
func (s *shareOptions) printAddress(steps *numberedSteps) {
	steps.printStep("Shared: %s", "共享：%s", shellLine(absolutePaths(s.folders)))
	for _, dir := range absolutePaths(s.folders) {
		if all, err := os.ReadDir(dir); err == nil && len(all) == 0 {
			fmt.Fprintln(steps.out, "   "+steps.localise("there is nothing in %s yet: is it the folder that you mean?", "%s 里还什么都没有：是这个文件夹吗？", quoteArg(dir)))
		}
	}
	if t, found := tunnel.ProgramNamed(s.tunnel); found {
		steps.printStep("Address: %s, by %s (%s)", "地址：%s，由 %s 提供（%s）", s.public, t.Title, t.About)
		return
	}
	steps.printStep("Address: %s, which has to lead to %s", "地址：%s，它应当通向 %s", s.public, s.on.Addr())
}

// firstTokenUser is the user of the token that share creates.
const firstTokenUser = "me"

// printToken prints where the tokens are, or creates the first one and prints it.
func (s *shareOptions) printToken(steps *numberedSteps, hasToken bool) error {
	if hasToken {
		steps.printStep("Your token is one of %s; another: vademecum token new NAME --tokens %[1]s", "令牌用 %s 里的一个；再生成一个：vademecum token new NAME --tokens %[1]s", quoteArg(s.tokens))
		return nil
	}
	token, entry, err := signin.NewTokenEntry(firstTokenUser, []string{signin.ScopeRead}, nil)
	if err == nil {
		err = entry.Append(s.tokens)
	}
	if err != nil {
		return usageError{message.Errorf("the first token cannot be kept: %v", "无法保存第一个令牌：%v", err), message.New("name a file that you may write: --tokens FILE", "请指定一个你可以写的文件：--tokens 文件")}
	}
	steps.printStep("Your token, shown this once; keep it like a password:\n   %s", "你的令牌，只显示这一次，请像密码一样保管：\n   %s", token)
	return nil
}

// guideUser waits until the public address works, and prints how to connect clients.
func (s *shareOptions) guideUser(ctx context.Context, steps *numberedSteps) {
	if !s.awaitPublicAddress(ctx, steps) {
		return
	}
	steps.printStep("claude.ai: Settings › Connectors › Add custom connector, with this URL; the phone's app has it then too:\n   %s/mcp", "claude.ai：设置 › 连接器 › 添加自定义连接器，填入此网址；之后手机应用里也有：\n   %s/mcp", strings.TrimRight(s.public, "/"))
	steps.printStep("ChatGPT: Settings › Apps & Connectors › Advanced settings › Developer mode, then Create, with the same URL", "ChatGPT：设置 › 应用与连接器 › 高级设置 › 开发者模式，然后点“创建”，填入同一网址")
	steps.printStep("Ctrl-C ends it. To let a token in no more: vademecum token revoke NAME --tokens %s", "按 Ctrl-C 结束。让某个令牌失效：vademecum token revoke NAME --tokens %s", quoteArg(s.tokens))
}

func absolutePaths(folders []string) (all []string) {
	for _, dir := range folders {
		if abs, err := filepath.Abs(dir); err == nil {
			dir = abs
		}
		all = append(all, dir)
	}
	return all
}

// probeInterval is how often the public address of a server is probed until it works.
const probeInterval = 3 * time.Second

// awaitPublicAddress probes the public address until it works, and prints each new fault. It ends a
// server that answers there without a token.
func (s *shareOptions) awaitPublicAddress(ctx context.Context, steps *numberedSteps) bool {
	tick := time.NewTicker(probeInterval)
	defer tick.Stop()
	var last string
	for {
		found := s.probePublicAddress(ctx)
		switch {
		case ctx.Err() != nil:
			return false
		case found.isOpen:
			s.end(shareEndError{message.Errorf("%s answers whoever asks, without a token: this is ended; a proxy there may send a token of its own, or another server is there", "%s 不要令牌就回答任何人：已结束；那里的代理可能自带令牌，或者是另一个服务器", s.public)})
			return false
		case found.fault == "":
			steps.printStep("Looked at from this machine: %s", "从本机查看：%s", found.success)
			return true
		}
		if now := steps.translate(found.fault); now != last {
			steps.printStep("Not reached yet: %s. It is looked at again every %d seconds", "还访问不到：%s。每 %d 秒再看一次", found.fault, int(probeInterval.Seconds()))
			last = now
		}
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
	}
}

// publicProbe is the result of a request to the public address of a server.
type publicProbe struct {
	isOpen  bool            // it answers without a token
	fault   message.Message // why it does not work, and what to do; "" if it works
	success message.Message // what was checked
}

// probePublicAddress sends a request to the public address. It sends no token, as another server may
// answer there.
func (s *shareOptions) probePublicAddress(ctx context.Context) publicProbe {
	public, at := s.public, s.on.Addr()
	ctx, cancel := context.WithTimeout(ctx, 3*probeTimeout)
	defer cancel()
	u, err := url.Parse(public)
	if err != nil {
		return publicProbe{fault: message.OfError(err)}
	}
	addresses, err := net.DefaultResolver.LookupNetIP(ctx, "ip", u.Hostname())
	switch {
	case err != nil && s.tunnel != "":
		return publicProbe{fault: message.New("the name %s is not known yet (%v): a new one takes up to ten minutes; if it is not there then, end this with Ctrl-C and start it again", "域名 %s 还查不到（%v）：新域名最多要等十分钟；如果那时还没有，请按 Ctrl-C 结束，再重新启动", u.Hostname(), err)}
	case err != nil:
		return publicProbe{fault: message.New("the name %s leads nowhere (%v): it needs an entry in the DNS, and a new one takes a while", "域名 %s 没有指向任何地址（%v）：它需要 DNS 记录，新记录要等一会儿生效", u.Hostname(), err)}
	}
	mcp := strings.TrimRight(public, "/") + "/mcp"
	found := probeServer(ctx, http.DefaultTransport, mcp)
	switch {
	case found.certificateError != nil:
		return publicProbe{fault: message.New("the certificate of %s is not trusted (%v): the proxy needs one of a public authority for this name", "%s 的证书不受信任（%v）：代理需要公共机构为这个域名签发的证书", u.Host, found.certificateError)}
	case found.unreachable != nil:
		return publicProbe{fault: message.New("the server is not reached at %s (%v): the proxy or tunnel has to run, and to lead to %s", "在 %s 访问不到服务器（%v）：代理或隧道应当在运行，并通向 %s", u.Host, found.unreachable, at)}
	case !found.isServer:
		return publicProbe{fault: message.New("something else answers at %s (%s): the proxy or tunnel has to lead to %s, with the paths as they are", "%s 上是别的东西在回应（%s）：代理或隧道应当通向 %s，路径保持不变", mcp, present.CleanLine(cmp.Or(found.redirect, found.refusal, found.status)), at)}
	case !found.requiresToken:
		return publicProbe{isOpen: true}
	case found.instance != s.instance:
		return publicProbe{fault: message.New("another server answers at %s: the proxy or tunnel has to lead to %s", "%s 上回应的是另一个服务器：代理或隧道应当通向 %s", mcp, at)}
	}
	if found.hasMetadata {
		described := url.URL{Scheme: u.Scheme, Host: u.Host, Path: signin.MetadataPath + web.PathPrefixOf(public) + "/mcp"}
		if err := checkHealth(ctx, &described); err != nil {
			return publicProbe{fault: message.New("the proxy keeps back what programs sign in by (%v): it has to pass on all paths", "代理没有转发登录所需的内容（%v）：它应当转发所有路径", err)}
		}
	}
	return publicProbe{success: reachableMessage(u.Hostname(), addresses)}
}

// reachableMessage says what was checked. If the name resolves only to private addresses it also says
// that other networks may not reach them.
func reachableMessage(name string, addresses []netip.Addr) message.Message {
	well := message.New("%s is found, its certificate is valid, the server answers there and refuses whoever has no token", "%s 可以找到，证书有效，服务器在那里回应，并拒绝没有令牌的人", name)
	for _, a := range addresses {
		if a = a.Unmap(); !a.IsPrivate() && !a.IsLoopback() && !a.IsLinkLocalUnicast() {
			return well
		}
	}
	return message.Join(well, message.New("but %s is an address of your own network: whether others reach it cannot be seen from here", "但 %s 是你自己网络里的地址：从这里看不出别人能否访问", addresses[0].Unmap()))
}
