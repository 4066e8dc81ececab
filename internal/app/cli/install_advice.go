package cli

import (
	"fmt"
	"os"

	"vademecum/embed"
	"vademecum/index/notice"
	"vademecum/internal/app/hosts"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// tellNextStep prints what the user still has to do by hand.
func (p *program) tellNextStep(h hosts.Host, next message.Message) {
	if h.RewritesConfig {
		fmt.Fprint(&p.out, p.localise("if %s is running: quit it and run this command again, because it writes its file while it runs\n", h.Title))
	}
	if next == "" {
		next = message.New("restart %s", h.Title)
	}
	fmt.Fprint(&p.out, p.localise("next: %v\n", next))
}

// tellToken prints how the host gets the token for a server, as the program never writes tokens to
// a file.
func (p *program) tellToken(m hosts.Machine, h hosts.Host, s hosts.Server, edit hosts.Edit, found serverProbe) {
	switch {
	case s.URL == "":
	case edit.KeepsToken():
		p.notes = append(p.notes, p.localise("%s keeps the token that its entry has", h.Title))
	case s.TokenVariable != "":
		fmt.Fprint(&p.out, p.localise("next: %v\n", h.TokenAdvice(m, s)))
	case found.hasMetadata:
		p.notes = append(p.notes, p.localise("the server requires authentication, and %s lets you sign in; if it cannot, give --token-variable with the name of a variable that holds a token", h.Title))
	}
}

// tellProbeProblem prints the problem with the URL that the probe has found.
func (p *program) tellProbeProblem(o installOptions) {
	switch f := o.found; {
	case f.unreachable != nil:
		note := message.New("nothing answers at %s now: %v", present.QuoteName(o.url), notice.ErrorLine(f.unreachable))
		if other := withMCPPath(o.url); other != o.url {
			note = message.New("%v; a server of this program is at %s", note, present.QuoteName(other))
		}
		if o.token == "" {
			note = message.New("%v; if it asks for a token, give --token-variable %s too", note, hosts.ConnectTokenVariable)
		}
		p.notes = append(p.notes, p.translate(note))
	case f.certificateError != nil:
		p.notes = append(p.notes, p.localise("the certificate of the server is not trusted here: %v; hosts refuse it too, unless the system trusts the authority, or the host runs in Node and has NODE_EXTRA_CA_CERTS=FILE in its environment", notice.ErrorLine(f.certificateError)))
	case f.refusal != "":
		p.notes = append(p.notes, p.localise("the server refuses this machine: %s", f.refusal))
	}
}

// tellKey adds the notes of missingKeys.
func (p *program) tellKey(h hosts.Host) {
	for _, note := range p.missingKeys(h) {
		p.notes = append(p.notes, p.translate(note))
	}
}

// missingKeys returns notes on API keys, and on settings that may contain a password, that a host
// does not pass to the server: they are never written to its configuration, and it does not pass
// its environment on.
func (p *program) missingKeys(h hosts.Host) (notes []message.Message) {
	if !h.NeedsManualKey() {
		return nil
	}
	if key := likelyKey(embed.EnvironmentVariables(p.embedSpec)); key != "" && embed.PropertiesOf(p.embedSpec).Host != "" {
		notes = append(notes, message.New("no key is written into files: %s must have %s in the environment that it is started in, or under env in the entry", h.Title, key))
	}
	if p.reranker.host(p.embedSpec) != "" {
		notes = append(notes, message.New("no key is written into files: if the reranker requires one, %s must have %s in the environment that it is started in, or under env in the entry", h.Title, likelyKey(p.reranker.usedVariables())))
	}
	if p.store == "" && os.Getenv(storeVariable) != "" {
		notes = append(notes, message.New("no address of a database is written into files: %s must have %s in the environment that it is started in, or under env in the entry", h.Title, storeVariable))
	}
	return notes
}

// likelyKey returns the name of the variable with the API key that a model most likely needs.
func likelyKey(variables []string) string {
	for _, name := range variables {
		if hosts.IsAPIKeyVariable(name) {
			return name
		}
	}
	return ""
}

// tellOtherNames prints the other names under which a host has entries of this program.
func (p *program) tellOtherNames(m hosts.Machine, h hosts.Host, name string) {
	entries, err := h.EntriesOfThisProgram(m, name)
	if err != nil {
		return // the problem with the file was already printed
	}
	for _, e := range entries {
		if e.Name != name {
			p.notes = append(p.notes, p.localise("it also has the program as %s: vademecum uninstall %s --name %s", present.QuoteName(e.Name), h.ID, quoteArg(e.Name)))
		}
	}
}
