package doctor

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"vademecum/index/notice"
	"vademecum/internal/bridge"
	"vademecum/internal/hosts"
	"vademecum/internal/message"
	"vademecum/internal/present"
)

// entryTrial is an entry of a host that is tried.
type entryTrial struct {
	host   hosts.Host
	entry  hosts.Installed
	launch hosts.Launch
	line   CommandLine // of this program, where that is started
}

// entryName returns the name of the entry, as findings have it.
func (t entryTrial) entryName() message.Message {
	return message.New("%s, entry %q", "%s，条目 %q", t.host.Title, present.CleanLine(t.entry.Name))
}

// newFinding is a finding on the entry that is none of OK.
func (t entryTrial) newFinding(level Level, says message.Message, advice ...message.Message) Finding {
	says = message.New("%v: %v", "%v：%v", t.entryName(), says)
	return Finding{level, aboutHost, says.Transform(t.redact), message.Join(advice...).Transform(t.redact)}
}

// redact is a text without the secrets of the entry.
func (t entryTrial) redact(text string) string {
	for _, secret := range t.launch.Secrets {
		text = strings.ReplaceAll(text, secret, "…")
	}
	return text
}

// tryEntry tries one: what a host would start is started, what it would reach is asked.
func (s *examination) tryEntry(ctx context.Context, h hosts.Host, e hosts.Installed) Finding {
	t := entryTrial{host: h, entry: e, launch: h.Launch(s.Machine, e)}
	if args, own := s.ownArgs(t.launch); own {
		t.line = s.Reads(args)
	}
	switch {
	case t.launch.Off:
		return t.newFinding(Warning, message.New("it is switched off", "它被关闭了"), message.New("switch it on in %s", "请在 %s 中打开它", h.Title))
	case t.launch.Refused != "" && t.launch.NoToken != "":
		return s.missingTokenFinding(t)
	case t.launch.Refused != "":
		return t.newFinding(Fault, t.launch.Refused, t.reinstallCommand())
	case t.launch.Unset != "":
		return t.newFinding(Fault, message.New("%s was not chosen, and so it is not started", "没有选择 %s，因此不会启动", t.launch.Unset), t.reinstallCommand())
	case t.launch.Unknown != "":
		return t.newFinding(Warning, message.New("not tried: only %s knows what %s stands for", "未尝试：只有 %s 知道 %s 代表什么", h.Title, present.QuoteName(t.launch.Unknown)), message.New("look in %s whether it is connected", "请在 %s 中查看是否已连接", h.Title))
	case t.launch.URL != "":
		return s.tryURL(ctx, t)
	case t.launch.Program == "":
		return t.newFinding(Fault, message.New("it names neither a program nor a URL", "它既没有写程序，也没有写 URL"), t.reinstallCommand())
	case !t.line.startsServer():
		return t.newFinding(Fault, message.New("it starts vademecum %s, and a host needs serve or connect; it was not started", "它启动的是 vademecum %s，而 AI 程序需要 serve 或 connect；没有启动它", t.line.Command), t.reinstallCommand())
	case t.line.HTTP:
		return t.newFinding(Fault, message.New("it serves over HTTP, and the host speaks to what it starts through stdin and stdout", "它通过 HTTP 提供服务，而 AI 程序与它启动的程序通过 stdin 和 stdout 通信"), message.New("leave --http out of its args, or have the host reach the URL: vademecum install %s --url URL", "请从 args 中去掉 --http，或让 AI 程序连接 URL：vademecum install %s --url URL", t.host.Name))
	}
	if missing := missingModel(ctx, t.line.Model); missing != nil {
		return t.newFinding(Fault, notice.ErrorLine(missing), missing.Hint())
	}
	return s.tryStart(ctx, t)
}

// tryStart tells what comes of starting it.
func (s *examination) tryStart(ctx context.Context, t entryTrial) Finding {
	dir := t.launch.Dir
	if dir == "" {
		made, remove, err := newEmptyFolder()
		if err != nil {
			return t.newFinding(Warning, message.New("not tried: %v", "未尝试：%v", notice.ErrorLine(err)))
		}
		defer remove()
		dir = made
	} else if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return t.newFinding(Fault, message.New("the folder that it is to be started in is not there: %s", "它应在其中启动的文件夹不存在：%s", present.QuoteName(dir)), t.reinstallCommand())
	}
	server, err := startServer(ctx, t.launch, dir)
	if c := new(processError); err != nil && !errors.As(err, &c) {
		return t.newFinding(Fault, startError(t.launch.Program, err), t.reinstallCommand())
	}
	if err != nil {
		return s.failedStartFinding(ctx, t, dir, err)
	}
	return s.answeredFinding(t, server)
}

// answeredFinding tells of an entry that is in order.
func (s *examination) answeredFinding(t entryTrial, by bridge.Server) Finding {
	f := Finding{OK, aboutHost, message.New("%s starts %q", "%s 可启动 %q", t.host.Title, present.CleanLine(t.entry.Name)), ""}
	switch {
	case by.Name != "vademecum":
		return t.newFinding(Warning, message.New("what it starts is another server, which calls itself %q", "它启动的是另一个服务器，自称 %q", present.CleanLine(by.Name)), t.reinstallCommand())
	case by.Version != s.Version && !slices.Contains(t.launch.Args, "connect"):
		f.Level, f.Says, f.Advice = Warning, message.New("%v by %s, version %s; this is %s", "%v（%s，版本 %s；当前版本是 %s）", f.Says, present.QuoteName(t.launch.Program), present.CleanLine(by.Version), s.Version), t.reinstallCommand()
	case !filepath.IsAbs(t.launch.Program) && t.host.IsDesktopApp():
		return t.newFinding(Warning, message.New("%s is no full path: the host finds it here, and may not where it is not started in a shell", "%s 不是完整路径：AI 程序在这里能找到它，但不从终端启动时可能找不到", present.QuoteName(t.launch.Program)), t.reinstallCommand())
	}
	return f
}

// failedStartFinding says why what was started did not answer.
func (s *examination) failedStartFinding(ctx context.Context, t entryTrial, dir string, err error) Finding {
	why, hint := failureReason(err, t.redact)
	advice := message.Message(hint)
	if strings.HasPrefix(hint, "vademecum ") || strings.HasPrefix(hint, "to ask it: ") { // which helps users who type the line
		advice = ""
	}
	if t.launch.Dir == "" && strings.Contains(why.String(), dir+string(filepath.Separator)) {
		isHome := strings.Contains(why.String(), dir+string(filepath.Separator)+"~")
		why = why.Transform(func(text string) string { return strings.ReplaceAll(text, dir+string(filepath.Separator), "") })
		if isHome && advice != "" { // with the path to write
			return t.newFinding(Fault, why, advice)
		}
		advice = message.New("give the full path: another is looked for where the host happens to be started", "请写完整路径：相对路径会从 AI 程序启动的位置去找")
	}
	if url := t.bridgedURL(); url != "" {
		if strings.Contains(why.String(), bridge.ErrSignIn.Error()) && slices.Contains(t.launch.Env, bridge.TokenVariable+"="+hosts.YourToken) {
			return t.placeholderFinding()
		}
		if other := findOtherScheme(ctx, url); other != "" {
			return t.newFinding(Fault, why, adviceOnScheme(other))
		}
		if other := s.findOtherURL(ctx, t, url); other != "" {
			return t.newFinding(Fault, why, adviceOnURL(other))
		}
		return t.newFinding(Fault, why, cmp.Or(advice, t.bridgeAdvice(why.String())))
	}
	if errors.Is(err, errSilent) {
		advice = message.New("hosts wait for some seconds only; where it has to be downloaded first, try again", "AI 程序只等待几秒；如果要先下载，请再试一次")
	}
	return t.newFinding(Fault, why, advice, t.reinstallCommand())
}

// bridgedURL is the URL of an entry that connects to one, "" of others.
func (t entryTrial) bridgedURL() string {
	if !slices.Contains(t.launch.Args, "connect") {
		return ""
	}
	at := slices.IndexFunc(t.launch.Args, isURL)
	if at < 0 {
		return ""
	}
	return t.launch.Args[at]
}

// bridgeAdvice is what to do about why an entry did not reach its server.
func (t entryTrial) bridgeAdvice(why string) message.Message {
	hasToken := slices.ContainsFunc(t.launch.Env, func(v string) bool {
		name, value, _ := strings.Cut(v, "=")
		return name == bridge.TokenVariable && value != ""
	})
	switch {
	case hasToken && strings.Contains(why, bridge.ErrSignIn.Error()):
		return message.New("put a token that is valid into %s; the server's administrator gives one", "请在 %s 中放入有效的令牌；令牌由服务器管理员提供", bridge.TokenVariable)
	case strings.Contains(why, bridge.ErrSignIn.Error()):
		return message.New("put the token as %s under env in the entry; the server's administrator gives one", "请把令牌作为 %s 写在该条目的 env 下；令牌由服务器管理员提供", bridge.TokenVariable)
	case strings.Contains(why, bridge.ErrCertificate.Error()):
		return message.New("give connect the certificate of the authority: --ca-file FILE", "请把证书颁发机构的证书交给 connect：--ca-file FILE")
	}
	return adviceOnServer()
}

func isURL(text string) bool {
	return strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "https://")
}
