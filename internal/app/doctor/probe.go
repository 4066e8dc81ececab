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
	"vademecum/internal/app/bridge"
	"vademecum/internal/app/hosts"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// entryTrial is an entry of a host that is being tried.
type entryTrial struct {
	host   hosts.Host
	entry  hosts.InstalledEntry
	launch hosts.Launch
	line   CommandLine // command line, if the entry starts this program
}

// entryName returns the name of the entry as findings mention it.
func (t entryTrial) entryName() message.Message {
	return message.New("%s, entry %q", t.host.Title, present.CleanLine(t.entry.Name))
}

// newFinding returns a finding on a problem of the entry, with the secrets of the entry removed.
func (t entryTrial) newFinding(level Level, says message.Message, advice ...message.Message) Finding {
	says = message.New("%v: %v", t.entryName(), says)
	return Finding{level, aboutHost, says.MapForeignTexts(t.redact), message.Join(advice...).MapForeignTexts(t.redact)}
}

// redact replaces the secrets of the entry in a text.
func (t entryTrial) redact(text string) string {
	for _, secret := range t.launch.Secrets {
		text = strings.ReplaceAll(text, secret, "…")
	}
	return text
}

// tryEntry tries an entry of a host: it starts the entry's program or connects to its URL.
func (s *examination) tryEntry(ctx context.Context, h hosts.Host, e hosts.InstalledEntry) Finding {
	t := entryTrial{host: h, entry: e, launch: h.PlanLaunch(s.Machine, e)}
	if args, own := s.ownArgs(t.launch); own {
		t.line = s.ParseCommandLine(args)
	}
	switch {
	case t.launch.IsDisabled:
		return t.newFinding(LevelWarning, message.New("it is switched off"), message.New("switch it on in %s", h.Title))
	case t.launch.RefusalReason != "" && t.launch.UnsetTokenVariable != "":
		return s.missingTokenFinding(t)
	case t.launch.RefusalReason != "":
		return t.newFinding(LevelFault, t.launch.RefusalReason, t.reinstallCommand())
	case t.launch.UnsetPluginSetting != "":
		return t.newFinding(LevelFault, message.New("%s was not chosen, and so it is not started", t.launch.UnsetPluginSetting), t.reinstallCommand())
	case t.launch.UnresolvedPlaceholder != "":
		return t.newFinding(LevelWarning, message.New("not tried: only %s knows what %s stands for", h.Title, present.QuoteName(t.launch.UnresolvedPlaceholder)), message.New("look in %s whether it is connected", h.Title))
	case t.launch.URL != "":
		return s.tryURL(ctx, t)
	case t.launch.Program == "":
		return t.newFinding(LevelFault, message.New("it names neither a program nor a URL"), t.reinstallCommand())
	case !t.line.startsServer():
		return t.newFinding(LevelFault, message.New("it starts vademecum %s, and a host needs serve or connect; it was not started", t.line.Subcommand), t.reinstallCommand())
	case t.line.ServesHTTP:
		return t.newFinding(LevelFault, message.New("it serves over HTTP, and the host speaks to what it starts through stdin and stdout"), message.New("leave --http out of its args, or have the host reach the URL: vademecum install %s --url URL", t.host.ID))
	}
	if missing := missingModel(ctx, t.line.EmbedderSpec); missing != nil {
		return t.newFinding(LevelFault, notice.ErrorLine(missing), missing.Hint())
	}
	return s.tryStart(ctx, t)
}

// tryStart starts the program of an entry, and returns a finding on the result.
func (s *examination) tryStart(ctx context.Context, t entryTrial) Finding {
	dir := t.launch.Dir
	if dir == "" {
		made, remove, err := newEmptyFolder()
		if err != nil {
			return t.newFinding(LevelWarning, message.New("not tried: %v", notice.ErrorLine(err)))
		}
		defer remove()
		dir = made
	} else if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return t.newFinding(LevelFault, message.New("the folder in which it should be started does not exist: %s", present.QuoteName(dir)), t.reinstallCommand())
	}
	server, err := startServer(ctx, t.launch, dir)
	if c := new(processError); err != nil && !errors.As(err, &c) {
		return t.newFinding(LevelFault, startError(t.launch.Program, err), t.reinstallCommand())
	}
	if err != nil {
		return s.failedStartFinding(ctx, t, dir, err)
	}
	return s.answeredFinding(t, server)
}

// answeredFinding returns a finding on an entry whose server has answered. by is what the server
// says about itself.
func (s *examination) answeredFinding(t entryTrial, by bridge.ServerInfo) Finding {
	f := Finding{LevelOK, aboutHost, message.New("%s starts %q", t.host.Title, present.CleanLine(t.entry.Name)), ""}
	switch {
	case by.Name != "vademecum":
		return t.newFinding(LevelWarning, message.New("it starts another server, which calls itself %q", present.CleanLine(by.Name)), t.reinstallCommand())
	case by.Version != s.Version && !slices.Contains(t.launch.Args, "connect"):
		f.Level, f.Description, f.Advice = LevelWarning, message.New("%v by %s, version %s; this is %s", f.Description, present.QuoteName(t.launch.Program), present.CleanLine(by.Version), s.Version), t.reinstallCommand()
	case !filepath.IsAbs(t.launch.Program) && t.host.IsDesktopApp():
		return t.newFinding(LevelWarning, message.New("%s is not a full path: the host finds it here, but may not if it is not started from a shell", present.QuoteName(t.launch.Program)), t.reinstallCommand())
	}
	return f
}

// failedStartFinding returns a finding on why a started program did not answer.
func (s *examination) failedStartFinding(ctx context.Context, t entryTrial, dir string, err error) Finding {
	why, hint := failureReason(err, t.redact)
	advice := message.Message(hint)
	// hints on commands to type are for users of a terminal
	if strings.HasPrefix(hint, "vademecum ") || strings.HasPrefix(hint, "to ask it: ") {
		advice = ""
	}
	if t.launch.Dir == "" && strings.Contains(why.String(), dir+string(filepath.Separator)) {
		isHome := strings.Contains(why.String(), dir+string(filepath.Separator)+"~")
		why = why.MapForeignTexts(func(text string) string { return strings.ReplaceAll(text, dir+string(filepath.Separator), "") })
		if isHome && advice != "" { // the advice contains the path to write
			return t.newFinding(LevelFault, why, advice)
		}
		advice = message.New("give the full path: a relative one depends on where the host is started")
	}
	if url := t.bridgedURL(); url != "" {
		if strings.Contains(why.String(), bridge.ErrSignInRefused.Error()) && slices.Contains(t.launch.Env, bridge.TokenVariable+"="+hosts.TokenPlaceholder) {
			return t.placeholderFinding()
		}
		if other := findOtherScheme(ctx, url); other != "" {
			return t.newFinding(LevelFault, why, adviceOnScheme(other))
		}
		if other := s.findOtherURL(ctx, t, url); other != "" {
			return t.newFinding(LevelFault, why, adviceOnURL(other))
		}
		return t.newFinding(LevelFault, why, cmp.Or(advice, t.bridgeAdvice(why.String())))
	}
	if errors.Is(err, errSilent) {
		advice = message.New("hosts wait for some seconds only; where it has to be downloaded first, try again")
	}
	return t.newFinding(LevelFault, why, advice, t.reinstallCommand())
}

// bridgedURL returns the URL to which the entry connects through the command connect; "" if it runs
// another command.
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

// bridgeAdvice returns advice on an entry whose command connect did not reach its server, given the
// reason.
func (t entryTrial) bridgeAdvice(why string) message.Message {
	hasToken := slices.ContainsFunc(t.launch.Env, func(v string) bool {
		name, value, _ := strings.Cut(v, "=")
		return name == bridge.TokenVariable && value != ""
	})
	switch {
	case hasToken && strings.Contains(why, bridge.ErrSignInRefused.Error()):
		return message.New("put a valid token into %s; the server's administrator issues one", bridge.TokenVariable)
	case strings.Contains(why, bridge.ErrSignInRefused.Error()):
		return message.New("put the token as %s under env in the entry; the server's administrator issues one", bridge.TokenVariable)
	case strings.Contains(why, bridge.ErrUntrustedCertificate.Error()):
		return message.New("give connect the certificate of the authority: --ca-file FILE")
	}
	return adviceOnServer()
}

func isURL(text string) bool {
	return strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "https://")
}
