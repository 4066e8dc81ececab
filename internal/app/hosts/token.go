package hosts

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"vademecum/internal/app/bridge"
	"vademecum/internal/base/message"
)

// TokenPlaceholder is the placeholder in an entry for a token that the user has to fill in. The program
// never writes a token.
const TokenPlaceholder = "YOUR_TOKEN"

// ConnectVariable is the environment variable with the token for the command connect, which a host
// starts.
const ConnectVariable = bridge.TokenVariable

// tokenForm is the form in which a host's entry refers to the token for a server.
type tokenForm struct {
	entry func(Server) Entry // fields with the reference
	way   tokenSource
	keeps string // file of secrets, relative to the home folder
}

// tokenSource is where a host gets the token from.
type tokenSource int

const (
	fromEntry       tokenSource = iota // it is written into the entry
	fromEnvironment                    // from a variable that the entry names
	fromUser                           // the user is asked when the server is started
	fromSecrets                        // from a file of secrets
)

// bearerForm returns the form of a host whose entries have headers. NAME in reference stands for
// the name of the token variable.
func bearerForm(field, reference string, way tokenSource) tokenForm {
	return tokenForm{way: way, entry: func(s Server) Entry {
		return Entry{{field, Entry{{"Authorization", "Bearer " + strings.ReplaceAll(reference, "NAME", s.Token)}}}}
	}}
}

// inEntry is the form of a host that cannot read variables.
var inEntry = bearerForm("headers", TokenPlaceholder, fromEntry)

// ofCodex is the form of Codex, which takes only the name of the variable.
var ofCodex = tokenForm{way: fromEnvironment, entry: func(s Server) Entry { return Entry{{"bearer_token_env_var", s.Token}} }}

// ofVSCode makes VS Code ask the user for the token; see inputsFormat.
var ofVSCode = tokenForm{way: fromUser, entry: func(s Server) Entry {
	return Entry{{"headers", Entry{{"Authorization", "Bearer " + inputReference(s.Name)}}}}
}}

// ofContinue is the form of Continue, which has headers in the request options and secrets in a
// file.
var ofContinue = tokenForm{way: fromSecrets, keeps: ".continue/.env", entry: func(s Server) Entry {
	return Entry{{"requestOptions", Entry{{"headers", Entry{{"Authorization", "Bearer ${{ secrets." + s.Token + " }}"}}}}}}
}}

// tokenFields returns the fields with the credentials for a server that requires a token.
func (h Host) tokenFields(s Server) Entry {
	switch {
	case s.Token == "":
		return nil
	case h.SupportsOnlyStdio():
		return Entry{{"env", Entry{{ConnectVariable, TokenPlaceholder}}}}
	}
	return h.token.entry(s)
}

// TokenAdvice returns what the user still has to do for a server that requires a token.
func (h Host) TokenAdvice(m Machine, s Server) message.Message {
	switch {
	case h.SupportsOnlyStdio() || h.token.way == fromEntry:
		return message.New("put your token in the place of %s in the entry", TokenPlaceholder)
	case h.token.way == fromUser:
		return message.New("%s asks for your token when it starts the server, and keeps it", h.Title)
	case h.token.way == fromSecrets:
		return message.New("put the line %s=%s, with your token, into %s", s.Token, TokenPlaceholder, homeFile(h.token.keeps)(m)[0])
	}
	return message.New("have %s hold your token in the environment that %s is started in", s.Token, h.Title)
}

// inputReference returns the placeholder that VS Code replaces with the user's answer.
func inputReference(name string) string { return "${input:" + inputID(name) + "}" }

func inputID(name string) string { return name + "-token" }

// userInput returns the input that VS Code asks the user for; nil if the entry needs none.
func userInput(name string, entry Entry) Entry {
	if !strings.Contains(linkConfig(entry), inputReference(name)) {
		return nil
	}
	return Entry{{"type", "promptString"}, {"id", inputID(name)}, {"description", "token for " + name}, {"password", true}}
}

// tokenFields lists the fields of all hosts that may contain credentials.
var tokenFields = []string{"headers", "http_headers", "env_http_headers", "bearer_token_env_var", "requestOptions"}

// hasCredential reports whether an entry in a file contains credentials.
func hasCredential(found map[string]any) bool {
	for _, field := range tokenFields {
		if _, named := found[field].(string); named || hasAuthorization(found[field]) {
			return true
		}
	}
	env, _ := found["env"].(map[string]any)
	return isCredential(env[ConnectVariable])
}

// hasAuthorization reports whether headers, or options with headers, contain credentials.
func hasAuthorization(v any) bool {
	fields, _ := v.(map[string]any)
	for name, value := range fields {
		if isSignInHeader(name) && isCredential(value) || name == "headers" && hasAuthorization(value) {
			return true
		}
	}
	return false
}

func isSignInHeader(header string) bool { return strings.EqualFold(header, "Authorization") }

// isCredential reports whether a value is a credential rather than the placeholder
// TokenPlaceholder.
func isCredential(v any) bool {
	return v != nil && !strings.Contains(fmt.Sprint(v), TokenPlaceholder)
}

// namesTokenVariable reports whether the entry contains the name of the user's token
// variable.
func (h Host) namesTokenVariable(s Server) bool {
	return s.IsTokenGiven && !h.SupportsOnlyStdio() && (h.token.way == fromEnvironment || h.token.way == fromSecrets)
}

// withoutCredentials returns an entry from a file, or its headers or variables, without
// credentials.
func withoutCredentials(found map[string]any) map[string]any {
	kept := map[string]any{}
	for name, value := range found {
		inner, isMap := value.(map[string]any)
		switch {
		case isSignInHeader(name), name == ConnectVariable, name == "bearer_token_env_var":
			continue
		case isMap && (name == "env" || name == "headers" || slices.Contains(tokenFields, name)):
			if value = withoutCredentials(inner); len(inner) > 0 && len(value.(map[string]any)) == 0 {
				continue
			}
		}
		kept[name] = value
	}
	return kept
}

// withoutForeignCredentials returns an entry from a file, without credentials if they are for
// another server than s.
func withoutForeignCredentials(found map[string]any, s Server) map[string]any {
	if found == nil || sameOrigin(parseInstalled(s.Name, found).ServerURL(), s.URL) {
		return found
	}
	kept := maps.Clone(found)
	for _, field := range tokenFields {
		delete(kept, field)
	}
	if env, ok := kept["env"].(map[string]any); ok && env[ConnectVariable] != nil {
		env = maps.Clone(env)
		delete(env, ConnectVariable)
		if kept["env"] = env; len(env) == 0 {
			delete(kept, "env")
		}
	}
	return kept
}

// ServerURL returns the URL that an entry connects to, directly or through the program; "" if none.
func (i InstalledEntry) ServerURL() string {
	if i.URL == "" && len(i.Args) > 1 && i.Args[0] == "connect" {
		return i.Args[1]
	}
	return i.URL
}

func sameOrigin(a, b string) bool {
	x, errA := url.Parse(a)
	y, errB := url.Parse(b)
	return errA == nil && errB == nil && x.Host != "" && x.Scheme == y.Scheme && x.Host == y.Host
}
