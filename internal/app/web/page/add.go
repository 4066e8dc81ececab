package page

import (
	"html/template"
	"net/http"
	"slices"
	"strings"

	"vademecum/internal/app/hosts"
)

// addView is the page that explains how to add the server to a host.
type addView struct {
	Ways     []way
	URL      string
	Fleeting string // path of the program, if it is in a folder that the system may clear; otherwise ""
}

// way is one of two ways in which hosts reach the folders: they start the program, or connect to a
// URL.
type way struct {
	Starts bool // hosts start the program
	Hosts  []hostView
}

// hostView is what a user needs in order to add the server to a host.
type hostView struct {
	host        hosts.Host
	Name, Title string
	Here        bool   // found on this machine
	File        string // configuration file for the snippet; "" if unknown
	Snippet     string
	Command     string // the host's own command that adds the server
	Install     string // this program's command that adds the server
	Link        template.URL
	Web         string     // link through a page of the host's maker
	Entry       *entryView // what a click on this page would change; nil if the page may change nothing
}

// IsOpen reports whether the details of the host are shown without a click.
func (h hostView) IsOpen() bool {
	return h.Here || h.Entry != nil && (h.Entry.Did != "" || h.Entry.Problem != "")
}

// add shows how to add the server to each host.
func (v *request) add() { v.showHosts(http.StatusOK, failedChange{}) }

// showHosts shows how to add the server to each host, and why the last change of a host's
// configuration failed, if it did.
func (v *request) showHosts(status int, failed failedChange) {
	view := addView{URL: v.o.URL}
	if view.URL == "" && !v.isHere() {
		view.URL = v.scheme() + "://" + v.r.Host + "/mcp"
	}
	if v.o.LocalServer.Program != "" && v.isHere() {
		all := v.hostsWith(v.server())
		if v.mayChangeHosts() {
			for i := range all {
				all[i].Entry = v.entryOf(all[i].host, failed)
			}
			if hosts.IsTemporaryPath(v.o.LocalServer.Program) {
				view.Fleeting = v.o.LocalServer.Program
			}
		}
		view.Ways = append(view.Ways, way{true, all})
	}
	if view.URL != "" {
		view.Ways = append(view.Ways, way{false, v.hostsWith(hosts.Server{EntryName: "vademecum", Program: v.program(), URL: view.URL, TokenVariable: v.tokenVariable()})})
	}
	v.Pages.show(v.w, v.r, status, "add", view)
}

// server returns the server that a host on this machine starts to serve the same folders.
func (v *request) server() hosts.Server {
	s := v.o.LocalServer
	s.Args = slices.Concat([]string{"serve"}, v.view.Library.Folders(), v.o.LocalServer.Args)
	return s
}

// tokenVariable returns the environment variable for the visitor's token; "" if the server requires
// no token, or hosts get it from an identity provider.
func (v *request) tokenVariable() string {
	if v.o.Authenticator == nil || v.o.Authenticator.ProviderIssuer != "" {
		return ""
	}
	return hosts.ConnectTokenVariable
}

// program returns the name or path by which the visitor calls this program in a terminal.
func (v *request) program() string {
	if v.isHere() && v.o.LocalServer.Program != "" {
		return v.o.LocalServer.Program
	}
	return "vademecum"
}

func (v *request) scheme() string {
	if v.o.IsSecure(v.r) {
		return "https"
	}
	return "http"
}

// hostsWith lists all hosts with what a user needs to add a server, those found on this machine
// first.
func (v *request) hostsWith(s hosts.Server) []hostView {
	var here, others []hostView
	for _, h := range hosts.KnownHosts {
		one, err := v.host(h, s)
		switch {
		case err != nil:
			v.o.Logger.Error("what a host needs cannot be told", "host", h.ID, "error", err)
		case one.Here:
			here = append(here, one)
		default:
			others = append(others, one)
		}
	}
	return append(here, others...)
}

func (v *request) host(h hosts.Host, s hosts.Server) (one hostView, err error) {
	one = hostView{host: h, Name: h.ID, Title: h.Title}
	hasFile := true
	if m := v.o.Machine; m != nil && v.isHere() {
		one.Here, one.File = h.IsInstalled(*m), h.ConfigFile(*m)
		hasFile = one.File != ""
	}
	if hasFile {
		if one.Snippet, err = h.Snippet(s); err != nil {
			return one, err
		}
	}
	if add, _ := h.OwnCommands(s); add != nil {
		one.Command = shellLine(add)
	}
	one.Install = installLine(h, s)
	link, err := h.InstallLink(s)
	if err != nil {
		return one, err
	}
	one.Link = template.URL(link) // safe: made by this program; html/template does not know its scheme
	one.Web, err = h.WebInstallLink(s)
	return one, err
}

// installLine returns this program's command that adds a server to a host.
func installLine(h hosts.Host, s hosts.Server) string {
	if s.URL != "" {
		return shellLine([]string{s.Program, "install", h.ID, "--url", s.URL})
	}
	return shellLine(append([]string{s.Program, "install", h.ID}, s.Args[1:]...))
}

// shellLine returns a command line quoted for a shell.
func shellLine(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = w
		if w == "" || strings.Trim(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=@%+,") != "" {
			quoted[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}
