// Package mcpapp is the page in which hosts that draw MCP Apps show results to people in the chat.
//
// It is one file of HTML that loads nothing and runs no script but its own. It shows the view of a
// result ([vademecum/index/operations.View]) in the style of the page of the program, whose code has
// rendered the texts in it, and asks for more by tools that only it may call.
package mcpapp

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"strings"
	"sync"

	"vademecum/internal/app/web/page"
	"vademecum/internal/base/message"
	"vademecum/mcp"
)

//go:embed app.html app.js app.css
var parts embed.FS

// App returns the page, with what renders the texts in it.
func App() mcp.App { return mcp.App{HTML: html, Renderer: page.Renderer{}} }

// texts are what the script says; the rest comes with a view, in all languages.
var texts = []message.Message{
	message.New("Results"), message.New("The result is awaited."), message.New("The call was cancelled."), message.New("One moment…"), message.New("This cannot be shown: %s"),
	message.New("whole passage"), message.New("text around it"), message.New("more of the text around it"), message.New("the page as it looks"), message.New("Previous page"), message.New("Next page"),
	message.New("Copy with its citation"), message.New("Copied"), message.New("Copy it from here:"), message.New("Left out: %s"), message.New("also in: %s"), message.New("and %d more"), message.New("%d places"),
	message.New(", "), message.New("; "),
}

// html returns the page. It is made when the first host asks for it, as most never do.
var html = sync.OnceValue(func() string {
	style, script := page.Style()+part("app.css"), strings.Replace(part("app.js"), `"TEXTS"`, translations(), 1)
	return strings.NewReplacer("{{.Policy}}", policy(style, script), "{{.Style}}", style, "{{.Script}}", script).Replace(part("app.html"))
})

// policy is the Content-Security-Policy of the page, whatever that of the host is: its own script and
// style by their hashes, pictures that came in messages, and nothing else.
func policy(style, script string) string {
	return "default-src 'none'; script-src " + hashSource(script) + "; style-src " + hashSource(style) +
		"; img-src data:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types vademecum"
}

func hashSource(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// translations returns the texts as JSON, by language and English text. English is empty.
func translations() string {
	all := make(map[message.Language]map[string]string)
	for _, l := range message.Languages() {
		all[l] = make(map[string]string)
		for _, m := range texts {
			if said := m.InLanguage(l); said != m.String() {
				all[l][m.String()] = said
			}
		}
	}
	encoded, err := json.Marshal(all) // escapes < and >
	if err != nil {                   // never for texts
		panic(err)
	}
	return string(encoded)
}

func part(name string) string {
	text, err := parts.ReadFile(name)
	if err != nil { // it is part of the program
		panic(err)
	}
	return string(text)
}
