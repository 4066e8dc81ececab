package cli

import (
	"os"
	"path/filepath"
	"strings"

	"vademecum/embed"
	"vademecum/internal/hosts"
	"vademecum/internal/web/page"
)

// pageAbout returns what the pages say about a server at an address.
func (p *program) pageAbout(f *httpFlags, at string, asks bool) page.About {
	a := page.About{URL: at + "/mcp", Local: f.hasOneUser() && !asks}
	if f.public != "" {
		a.URL = strings.TrimSuffix(f.public, "/") + "/mcp"
	} else if !f.isLocal() || f.ticket != nil { // the name by which somebody came is the right one, or there is no token
		a.URL = ""
	}
	a.Price = embed.PropertiesOf(p.embedSpec).Price
	if dir, err := os.UserConfigDir(); err == nil {
		a.Judgement = filepath.Join(dir, "vademecum", "judgements")
	}
	if a.Local {
		p.addLocalAbout(&a)
	}
	return a
}

// addLocalAbout adds what is of use only to the user of this machine.
func (p *program) addLocalAbout(a *page.About) {
	if m, err := hosts.ThisMachine(); err == nil {
		a.Machine = &m
	}
	path, err := programPath()
	if err != nil {
		return
	}
	a.Program = hosts.Server{Name: "vademecum", Program: path}
	if p.embedSpec != "" && p.embedSpec != embed.Default {
		a.Program.Args = []string{"--embed", embed.AbsoluteSpec(p.embedSpec)}
	}
	if p.reranker.spec != "" {
		a.Program.Args = append(a.Program.Args, "--rerank", embed.AbsoluteSpec(p.reranker.spec))
	}
}
