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

// TokenPlaceholder is what an entry contains in the place of a token that the user has to fill in.
// The program never writes a token itself.
const TokenPlaceholder = "YOUR_TOKEN"

// ConnectTokenVariable is the environment variable from which the command connect, started by a host,
// gets its token.
const ConnectTokenVariable = bridge.TokenVariable

// tokenForm is how a host's entry refers to the token for a server.
type tokenForm struct {
	entry func(Server) configEntry // returns the fields that contain the reference
	way   tokenSource
	keeps string // file of secrets, as a path relative to the home directory
}

// tokenSource is where a host gets the token for a server from.
type tokenSource int

const (
	fromEntry       tokenSource = iota // the token itself is written into the entry
	fromEnvironment                    // an environment variable that the entry names
	fromUser                           // the host asks the user when it starts the server
	fromSecrets                        // a file of secrets
)

// bearerForm returns the form for a host whose entries have a field with headers. In reference, NAME
// stands for the name of the variable.
func bearerForm(reference string, way tokenSource) tokenForm {
	return tokenForm{way: way, entry: func(s Server) configEntry {
		return configEntry{{"headers", configEntry{{"Authorization", "Bearer " + strings.ReplaceAll(reference, "NAME", s.TokenVariable)}}}}
	}}
}

// inEntry is the form for a host that cannot read environment variables.
var inEntry = bearerForm(TokenPlaceholder, fromEntry)

// ofCodex is the form for Codex, whose entries contain the name of the variable.
var ofCodex = tokenForm{way: fromEnvironment, entry: func(s Server) configEntry { return configEntry{{"bearer_token_env_var", s.TokenVariable}} }}

// ofVSCode is the form for VS Code, which asks the user for the token; see inputsFormat.
var ofVSCode = tokenForm{way: fromUser, entry: func(s Server) configEntry {
	return configEntry{{"headers", configEntry{{"Authorization", "Bearer " + inputReference(s.EntryName)}}}}
}}

// ofContinue is the form for Continue, which has headers among the request options, and secrets in
// a file.
var ofContinue = tokenForm{way: fromSecrets, keeps: ".continue/.env", entry: func(s Server) configEntry {
	return configEntry{{"requestOptions", configEntry{{"headers", configEntry{{"Authorization", "Bearer ${{ secrets." + s.TokenVariable + " }}"}}}}}}
}}

// tokenFields returns the fields of an entry with the credentials for a server that requires a
// token.
func (h Host) tokenFields(s Server) configEntry {
	switch {
	case s.TokenVariable == "":
		return nil
	case h.SupportsOnlyStdio():
		return configEntry{{"env", configEntry{{ConnectTokenVariable, TokenPlaceholder}}}}
	}
	return h.token.entry(s)
}

// TokenAdvice returns what the user has to do by hand for a server that requires a token.
func (h Host) TokenAdvice(m Machine, s Server) message.Message {
	switch {
	case h.SupportsOnlyStdio() || h.token.way == fromEntry:
		return message.New("put your token in place of %s in the entry", TokenPlaceholder)
	case h.token.way == fromUser:
		return message.New("%s asks for your token when it starts the server, and keeps it", h.Title)
	case h.token.way == fromSecrets:
		return message.New("put the line %s=%s, with your token, into %s", s.TokenVariable, TokenPlaceholder, homeFile(h.token.keeps)(m)[0])
	}
	return message.New("set %s to your token in the environment in which %s is started", s.TokenVariable, h.Title)
}

// inputReference returns the placeholder that VS Code replaces with the answer of the user.
func inputReference(name string) string { return "${input:" + inputID(name) + "}" }

func inputID(name string) string { return name + "-token" }

// userInput returns the input by which VS Code asks the user for the token; nil if the entry needs
// none.
func userInput(name string, entry configEntry) configEntry {
	if !strings.Contains(linkConfig(entry), inputReference(name)) {
		return nil
	}
	return configEntry{{"type", "promptString"}, {"id", inputID(name)}, {"description", "token for " + name}, {"password", true}}
}

// tokenFields are the fields, of all hosts, that may contain credentials.
var tokenFields = []string{"headers", "http_headers", "env_http_headers", "bearer_token_env_var", "requestOptions"}

// hasCredential reports whether an entry found in a file contains credentials.
func hasCredential(found map[string]any) bool {
	for _, field := range tokenFields {
		if _, named := found[field].(string); named || hasAuthorization(found[field]) {
			return true
		}
	}
	env, _ := found["env"].(map[string]any)
	return isCredential(env[ConnectTokenVariable])
}

// hasAuthorization reports whether headers, or options that contain headers, contain credentials.
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

// isCredential reports whether a value is a credential, not the placeholder for one.
func isCredential(v any) bool {
	return v != nil && !strings.Contains(fmt.Sprint(v), TokenPlaceholder)
}

// namesTokenVariable reports whether the entry for a server contains the name of the variable that
// the user has chosen for the token.
func (h Host) namesTokenVariable(s Server) bool {
	return s.IsTokenVariableGiven && !h.SupportsOnlyStdio() && (h.token.way == fromEnvironment || h.token.way == fromSecrets)
}

// withoutCredentials returns an entry found in a file, or its headers or variables, without
// credentials.
func withoutCredentials(found map[string]any) map[string]any {
	kept := map[string]any{}
	for name, value := range found {
		inner, isMap := value.(map[string]any)
		switch {
		case isSignInHeader(name), name == ConnectTokenVariable, name == "bearer_token_env_var":
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

// withoutForeignCredentials returns an entry found in a file without its credentials if these are
// for a server other than s.
func withoutForeignCredentials(found map[string]any, s Server) map[string]any {
	if found == nil || sameOrigin(parseInstalled(s.EntryName, found).ServerURL(), s.URL) {
		return found
	}
	kept := maps.Clone(found)
	for _, field := range tokenFields {
		delete(kept, field)
	}
	if env, ok := kept["env"].(map[string]any); ok && env[ConnectTokenVariable] != nil {
		env = maps.Clone(env)
		delete(env, ConnectTokenVariable)
		if kept["env"] = env; len(env) == 0 {
			delete(kept, "env")
		}
	}
	return kept
}

// ServerURL returns the URL to which the entry connects, directly or through the command connect;
// "" if it connects to none.
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
