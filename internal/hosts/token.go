package hosts

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"vademecum/internal/bridge"
)

// YourToken stands in an entry where its owner has to write a token. No token is ever
// written by the program.
const YourToken = "YOUR_TOKEN"

// ConnectVariable has the token in the environment of the program, where a host starts
// it to reach a server.
const ConnectVariable = bridge.TokenVariable

// tokenForm is how a host is told of the token for a server.
type tokenForm struct {
	entry func(Server) Entry // the fields that say it
	way   tokenWay
	keeps string // the file that secrets are in, below the home folder
}

// tokenWay is where a host has the token from.
type tokenWay int

const (
	fromEntry       tokenWay = iota // it is written into the entry
	fromEnvironment                 // the entry names a variable
	fromUser                        // the user is asked when the server is started
	fromSecrets                     // a file of secrets
)

// bearer is the form of a host that takes headers; NAME in the reference is what the
// host puts the token in for.
func bearer(field, reference string, way tokenWay) tokenForm {
	return tokenForm{way: way, entry: func(s Server) Entry {
		return Entry{{field, Entry{{"Authorization", "Bearer " + strings.ReplaceAll(reference, "NAME", s.Token)}}}}
	}}
}

// inEntry is the form of a host that reads no variable.
var inEntry = bearer("headers", YourToken, fromEntry)

// ofCodex names the variable alone.
var ofCodex = tokenForm{way: fromEnvironment, entry: func(s Server) Entry { return Entry{{"bearer_token_env_var", s.Token}} }}

// ofVSCode has the user asked for it, see inputs.
var ofVSCode = tokenForm{way: fromUser, entry: func(s Server) Entry {
	return Entry{{"headers", Entry{{"Authorization", "Bearer " + inputReference(s.Name)}}}}
}}

// ofContinue has headers among the options of requests, and secrets in a file.
var ofContinue = tokenForm{way: fromSecrets, keeps: ".continue/.env", entry: func(s Server) Entry {
	return Entry{{"requestOptions", Entry{{"headers", Entry{{"Authorization", "Bearer ${{ secrets." + s.Token + " }}"}}}}}}
}}

// withToken are the fields that let a host in at a server that asks for a token.
func (h Host) withToken(s Server) Entry {
	switch {
	case s.Token == "":
		return nil
	case h.KnowsOnlyPipes():
		return Entry{{"env", Entry{{ConnectVariable, YourToken}}}}
	}
	return h.token.entry(s)
}

// TokenAdvice says what is left to do where a server asks for a token.
func (h Host) TokenAdvice(m Machine, s Server) string {
	switch {
	case h.KnowsOnlyPipes() || h.token.way == fromEntry:
		return "put your token in the place of " + YourToken + " in the entry"
	case h.token.way == fromUser:
		return h.Title + " asks for your token when it starts the server, and keeps it"
	case h.token.way == fromSecrets:
		return "put the line " + s.Token + "=" + YourToken + ", with your token, into " + home(h.token.keeps)(m)[0]
	}
	return "have " + s.Token + " hold your token in the environment that " + h.Title + " is started in"
}

// inputReference is what VS Code puts the answer of the user in for.
func inputReference(name string) string { return "${input:" + inputID(name) + "}" }

func inputID(name string) string { return name + "-token" }

// input is what VS Code asks the user for an entry, nil if the entry needs nothing.
func input(name string, entry Entry) Entry {
	if !strings.Contains(config(entry), inputReference(name)) {
		return nil
	}
	return Entry{{"type", "promptString"}, {"id", inputID(name)}, {"description", "token for " + name}, {"password", true}}
}

// tokenFields are the fields of all hosts that may let somebody in.
var tokenFields = []string{"headers", "http_headers", "env_http_headers", "bearer_token_env_var", "requestOptions"}

// hasCredential tells whether an entry of a file has what lets somebody in.
func hasCredential(found map[string]any) bool {
	for _, field := range tokenFields {
		if _, named := found[field].(string); named || authorizes(found[field]) {
			return true
		}
	}
	env, _ := found["env"].(map[string]any)
	return isCredential(env[ConnectVariable])
}

// authorizes tells whether headers, or options with headers, have a sign-in.
func authorizes(v any) bool {
	fields, _ := v.(map[string]any)
	for name, value := range fields {
		if isSignIn(name) && isCredential(value) || name == "headers" && authorizes(value) {
			return true
		}
	}
	return false
}

func isSignIn(header string) bool { return strings.EqualFold(header, "Authorization") }

// isCredential tells what somebody has put there from what YourToken holds a place for.
func isCredential(v any) bool {
	return v != nil && !strings.Contains(fmt.Sprint(v), YourToken)
}

// namesToken tells whether the entry says the name of the variable that the user has
// given.
func (h Host) namesToken(s Server) bool {
	return s.TokenGiven && !h.KnowsOnlyPipes() && (h.token.way == fromEnvironment || h.token.way == fromSecrets)
}

// withoutSignIn is an entry of a file, or its headers or variables, without the sign-in.
func withoutSignIn(found map[string]any) map[string]any {
	kept := map[string]any{}
	for name, value := range found {
		inner, isMap := value.(map[string]any)
		switch {
		case isSignIn(name), name == ConnectVariable, name == "bearer_token_env_var":
			continue
		case isMap && (name == "env" || name == "headers" || slices.Contains(tokenFields, name)):
			if value = withoutSignIn(inner); len(inner) > 0 && len(value.(map[string]any)) == 0 {
				continue
			}
		}
		kept[name] = value
	}
	return kept
}

// forServer is an entry of a file without what lets somebody in at another server than
// the one that it is to be of.
func forServer(found map[string]any, s Server) map[string]any {
	if found == nil || sameOrigin(read(s.Name, found).Address(), s.URL) {
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

// Address is the URL that an entry reaches, by itself or by the program, "" if it reaches
// none.
func (i Installed) Address() string {
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
