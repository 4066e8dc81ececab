package hosts

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"
)

// configEntry is a server's entry in a configuration: its fields in the order in which they are written.
type configEntry []entryField

// entryField is a field of an entry. The value to be written is a string, a list of strings, a bool, a
// number or a configEntry; one read from a file may be any value.
type entryField struct {
	name  string
	value any
}

// MarshalJSON implements json.Marshaler. It keeps the order of the fields.
func (e configEntry) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, f := range e {
		if i > 0 {
			out.WriteByte(',')
		}
		name, err := marshalJSON(f.name)
		if err != nil {
			return nil, err
		}
		value, err := marshalJSON(f.value)
		if err != nil {
			return nil, err
		}
		out.Write(name)
		out.WriteByte(':')
		out.Write(value)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// marshalJSON is json.Marshal without its escapes for HTML, which make paths and URLs hard to read.
func marshalJSON(v any) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}

// entryForms returns all forms in which this program may write an entry of the host, without
// values.
func (h Host) entryForms() (forms []configEntry) {
	local := h.local(Server{})
	if h.variables != nil {
		local = append(local, h.variables([]string{"API_KEY"})...)
	}
	forms = append(forms, local)
	if h.remote != nil {
		forms = append(forms, h.remote(""))
	}
	return forms
}

// withUnknownFields adds to an entry those fields and environment variables of the present one that
// this program never writes: they are the user's own.
func (h Host) withUnknownFields(entry configEntry, present map[string]any) configEntry {
	ours := slices.Concat(h.entryForms()...)
	entry = slices.Clone(entry)
	for _, name := range slices.Sorted(maps.Keys(present)) {
		if at := indexOf(entry, name); at >= 0 {
			entry[at].value = addMissing(entry[at].value, present[name])
		} else if name == "env" || indexOf(ours, name) < 0 { // env may contain variables of the user, too
			entry = append(entry, entryField{name, present[name]})
		}
	}
	return entry
}

// fieldOrders returns the fields of an entry found in a file in each of the orders in which this
// program may have written them.
func (h Host) fieldOrders(found map[string]any) (all []configEntry) {
	for _, form := range h.entryForms() {
		form = slices.DeleteFunc(form, func(f entryField) bool { _, ok := found[f.name]; return !ok })
		for i, f := range form {
			form[i].value = found[f.name]
		}
		all = append(all, h.withUnknownFields(form, found))
	}
	return all
}

func indexOf(entry configEntry, name string) int {
	return slices.IndexFunc(entry, func(f entryField) bool { return f.name == name })
}

// addMissing adds to a value the variables or headers of the present one. For names in both, the
// present value is kept.
func addMissing(value, present any) any {
	added, isEntry := value.(configEntry)
	there, isMap := present.(map[string]any)
	if !isEntry || !isMap {
		return value
	}
	all := make(map[string]any, len(there)+len(added))
	maps.Copy(all, there)
	for _, f := range added {
		stays, found := there[f.name]
		_, inner := f.value.(configEntry)
		switch {
		case !found:
			all[f.name] = f.value
		case inner:
			all[f.name] = addMissing(f.value, stays)
		}
	}
	return all
}

// Forms of entries.

func commandAndArgs(s Server) configEntry {
	return configEntry{{"command", s.Program}, {"args", s.Args}}
}

// withType returns the form of an entry with a type field before the other fields.
func withType(kind string, form func(Server) configEntry) func(Server) configEntry {
	return func(s Server) configEntry { return append(configEntry{{"type", kind}}, form(s)...) }
}

// urlForm returns the form of an entry for a server at a URL: the fields before, then the URL in a
// field.
func urlForm(field string, before ...entryField) func(string) configEntry {
	return func(url string) configEntry { return append(slices.Clone(before), entryField{field, url}) }
}

// withName sets the field "name" of an entry, if it has one, to the server's name.
func (h Host) withName(name string, entry configEntry) configEntry {
	if at := indexOf(entry, "name"); at >= 0 {
		entry[at].value = name
	}
	return entry
}

// Links that hosts open.

// linkConfig returns an entry as JSON for a link.
func linkConfig(v any) string {
	raw, err := marshalJSON(v)
	if err != nil {
		return "" // cannot fail: entries consist of strings and lists
	}
	return string(raw)
}

// base64Link returns a function that makes a link from the beginning before, the name of a server,
// and its entry in base64.
func base64Link(before string) func(string, configEntry) string {
	return func(name string, entry configEntry) string {
		return before + "name=" + escape(name) + "&config=" + escape(base64.StdEncoding.EncodeToString([]byte(linkConfig(entry))))
	}
}

func traeLink(scheme string) func(string, configEntry) string {
	return func(name string, entry configEntry) string {
		kind := "stdio"
		if indexOf(entry, "url") >= 0 {
			kind = "http"
		}
		return base64Link(scheme+"://trae.ai-ide/mcp-import?type="+kind+"&")(name, entry)
	}
}

func vsCodeLink(name string, entry configEntry) string {
	entry = append(configEntry{{"name", name}}, entry...)
	if asked := userInput(name, entry); asked != nil {
		entry = append(entry, entryField{"inputs", []configEntry{asked}})
	}
	return "vscode:mcp/install?" + escape(linkConfig(entry))
}

// vscodeWebLink returns a link to a web page of VS Code's maker that opens the link of vsCodeLink.
func vscodeWebLink(name string, entry configEntry) string {
	return "https://insiders.vscode.dev/redirect?url=" + escape(vsCodeLink(name, entry))
}

func cherryLink(name string, entry configEntry) string {
	servers := linkConfig(configEntry{{"mcpServers", configEntry{{name, entry}}}})
	return "cherrystudio://mcp/install?servers=" + escape(base64.StdEncoding.EncodeToString([]byte(servers)))
}

// escape escapes a text like JavaScript's encodeURIComponent: a space becomes %20, as not every
// host decodes +.
func escape(s string) string {
	return strings.ReplaceAll(url.QueryEscape(s), "+", "%20")
}
