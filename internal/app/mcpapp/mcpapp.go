// Package mcpapp is the page in which hosts that support the extension MCP Apps show results to
// people in the chat.
//
// It is one file of HTML that loads nothing and runs no script but its own. It shows the view of a
// result ([vademecum/index/operations.View]), whose texts are rendered by the code of the program's
// web pages, in their style. It requests more through tools that only it may call.
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

// App returns the page, with the renderer for the texts in it.
func App() mcp.App { return mcp.App{HTML: html, Renderer: page.Renderer{}} }

// texts are the English texts in the script of the page. All other texts come with a view, in all
// languages.
var texts = []message.Message{
	message.New("Results"), message.New("Waiting for the result."), message.New("The call was cancelled."), message.New("One moment…"), message.New("This cannot be shown: %s"),
	message.New("whole passage"), message.New("text around it"), message.New("more of the text around it"), message.New("the page as an image"), message.New("Previous page"), message.New("Next page"),
	message.New("Copy with its citation"), message.New("Copied"), message.New("Copy it from here:"), message.New("Left out: %s"), message.New("Still valid: %s"), message.New("No part of it is still valid."), message.New("also in: %s"), message.New("and %d more"), message.New("%d places"),
	message.New(", "), message.New("; "),
}

// html is the page. It is made when the first host requests it, as most hosts never do.
var html = sync.OnceValue(func() string {
	style, script := page.StyleSheet()+part("app.css"), strings.Replace(part("app.js"), `"TEXTS"`, translations(), 1)
	return strings.NewReplacer("{{.Policy}}", policy(style, script), "{{.Style}}", style, "{{.Script}}", script).Replace(part("app.html"))
})

// policy returns the Content-Security-Policy of the page, which applies whatever the host's is: it
// allows the script and style of the page, by their hashes, pictures within messages, and nothing
// else.
func policy(style, script string) string {
	return "default-src 'none'; script-src " + hashSource(script) + "; style-src " + hashSource(style) +
		"; img-src data:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types vademecum"
}

func hashSource(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// translations returns the translations of texts as JSON, by language and English text. English has
// none.
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
