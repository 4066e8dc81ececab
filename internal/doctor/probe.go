package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"vademecum/internal/bridge"
	"vademecum/internal/hosts"
	"vademecum/internal/present"
)

// trialOf is an entry of a host that is tried.
type trialOf struct {
	host   hosts.Host
	entry  hosts.Installed
	launch hosts.Launch
	line   Line // of this program, where that is started
}

// name returns the name of the entry, as findings have it.
func (t trialOf) name() string {
	return fmt.Sprintf("%s, entry %q: ", t.host.Title, present.Line(t.entry.Name))
}

// found is a finding on the entry that is none of OK.
func (t trialOf) found(level Level, says string, advice ...string) Finding {
	advice = slices.DeleteFunc(advice, func(a string) bool { return a == "" })
	return Finding{level, "host", t.shown(t.name() + says), t.shown(strings.Join(advice, "; "))}
}

// shown is a text without the secrets of the entry.
func (t trialOf) shown(text string) string {
	for _, secret := range t.launch.Secrets {
		text = strings.ReplaceAll(text, secret, "…")
	}
	return text
}

// entry tries one: what a host would start is started, what it would reach is asked.
func (s *findings) entry(ctx context.Context, h hosts.Host, e hosts.Installed) Finding {
	t := trialOf{host: h, entry: e, launch: h.Launch(s.Machine, e)}
	if args, own := s.ownArgs(t.launch); own {
		t.line = s.Reads(args)
	}
	switch {
	case t.launch.Off:
		return t.found(Warning, "it is switched off", "switch it on in "+h.Title)
	case t.launch.Refused != "" && t.launch.NoToken != "":
		return s.noToken(t)
	case t.launch.Refused != "":
		return t.found(Fault, t.launch.Refused, t.again())
	case t.launch.Unset != "":
		return t.found(Fault, t.launch.Unset+" was not chosen, and so it is not started", t.again())
	case t.launch.Unknown != "":
		return t.found(Warning, "not tried: only "+h.Title+" knows what "+present.Name(t.launch.Unknown)+" stands for", "look in "+h.Title+" whether it is connected")
	case t.launch.URL != "":
		return s.reach(ctx, t)
	case t.launch.Program == "":
		return t.found(Fault, "it names neither a program nor a URL", t.again())
	case !t.line.startsServer():
		return t.found(Fault, "it starts vademecum "+t.line.Command+", and a host needs serve or connect; it was not started", t.again())
	case t.line.HTTP:
		return t.found(Fault, "it serves over HTTP, and the host speaks to what it starts through stdin and stdout", "leave --http out of its args, or have the host reach the URL: vademecum install "+t.host.Name+" --url URL")
	}
	if missing := absent(ctx, t.line.Model); missing != nil {
		return t.found(Fault, present.Message(missing), missing.Hint())
	}
	return s.started(ctx, t)
}

// started tells what comes of starting it.
func (s *findings) started(ctx context.Context, t trialOf) Finding {
	dir := t.launch.Dir
	if dir == "" {
		made, remove, err := anywhere()
		if err != nil {
			return t.found(Warning, "not tried: "+present.Message(err))
		}
		defer remove()
		dir = made
	} else if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return t.found(Fault, "the folder that it is to be started in is not there: "+present.Name(dir), t.again())
	}
	server, err := start(ctx, t.launch, dir)
	if c := new(processError); err != nil && !errors.As(err, &c) {
		return t.found(Fault, unstarted(t.launch.Program, err), t.again())
	}
	if err != nil {
		return s.failed(ctx, t, dir, err)
	}
	return s.answered(t, server)
}

// answered tells of an entry that is in order.
func (s *findings) answered(t trialOf, by bridge.Server) Finding {
	f := Finding{OK, "host", fmt.Sprintf("%s starts %q", t.host.Title, present.Line(t.entry.Name)), ""}
	switch {
	case by.Name != "vademecum":
		return t.found(Warning, fmt.Sprintf("what it starts is another server, which calls itself %q", present.Line(by.Name)), t.again())
	case by.Version != s.Version && !slices.Contains(t.launch.Args, "connect"):
		f.Level, f.Says, f.Advice = Warning, f.Says+fmt.Sprintf(" by %s, version %s; this is %s", present.Name(t.launch.Program), present.Line(by.Version), s.Version), t.again()
	case !filepath.IsAbs(t.launch.Program) && t.host.HasWindows():
		return t.found(Warning, present.Name(t.launch.Program)+" is no full path: the host finds it here, and may not where it is not started in a shell", t.again())
	}
	return f
}

// failed says why what was started did not answer.
func (s *findings) failed(ctx context.Context, t trialOf, dir string, err error) Finding {
	why, hint := reason(err, t.shown)
	if strings.HasPrefix(hint, "vademecum ") || strings.HasPrefix(hint, "to ask it: ") { // which helps users who type the line
		hint = ""
	}
	if t.launch.Dir == "" && strings.Contains(why, dir+string(filepath.Separator)) {
		why = strings.ReplaceAll(why, dir+string(filepath.Separator), "")
		if strings.HasPrefix(why, "no such folder: ~") && hint != "" { // with the path to write
			return t.found(Fault, why, hint)
		}
		hint = "give the full path: another is looked for where the host happens to be started"
	}
	if url := t.bridged(); url != "" {
		if strings.Contains(why, bridge.ErrSignIn.Error()) && slices.Contains(t.launch.Env, bridge.TokenVariable+"="+hosts.YourToken) {
			return t.placeOfToken()
		}
		if other := otherScheme(ctx, url); other != "" {
			return t.found(Fault, why, "did you mean "+other+"?")
		}
		if other := s.otherURL(ctx, t, url); other != "" {
			return t.found(Fault, why, "give "+other+", which answers")
		}
		return t.found(Fault, why, cmp.Or(hint, t.bridgeAdvice(why)))
	}
	if errors.Is(err, errSilent) {
		hint = "hosts wait for some seconds only; where it has to be downloaded first, try again"
	}
	return t.found(Fault, why, hint, t.again())
}

// bridged is the URL of an entry that connects to one, "" of others.
func (t trialOf) bridged() string {
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
func (t trialOf) bridgeAdvice(why string) string {
	hasToken := slices.ContainsFunc(t.launch.Env, func(v string) bool {
		name, value, _ := strings.Cut(v, "=")
		return name == bridge.TokenVariable && value != ""
	})
	switch {
	case hasToken && strings.Contains(why, bridge.ErrSignIn.Error()):
		return "put a token that is valid into " + bridge.TokenVariable + "; the server's administrator gives one"
	case strings.Contains(why, bridge.ErrSignIn.Error()):
		return "put the token as " + bridge.TokenVariable + " under env in the entry; the server's administrator gives one"
	case strings.Contains(why, bridge.ErrCertificate.Error()):
		return "give connect the certificate of the authority: --ca-file FILE"
	}
	return "see that the server runs and can be reached from here"
}

func isURL(text string) bool {
	return strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "https://")
}
