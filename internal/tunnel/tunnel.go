// Package tunnel knows programs that give a server on this machine an HTTPS address on the
// internet: what they are started with, and the address that they then say.
package tunnel

import (
	"net"
	"os/exec"
	"regexp"

	"vademecum/internal/message"
)

// Program is one of them.
type Program struct {
	Name      string // as it is typed
	Title     string // as people know it
	About     message.Message
	arguments func(address string) []string
	url       *regexp.Regexp    // the address in what it says, as the only group
	install   map[string]string // by system, as Go calls it; "" for all others
}

// Programs are those that are known, the one first whose address stays the same.
var Programs = []Program{
	{
		Name: "tailscale", Title: "Tailscale Funnel",
		About:     message.New("an address that stays, for whoever has an account; it asks you to allow Funnel the first time", "地址保持不变，需要账号；第一次会请你允许 Funnel"),
		arguments: func(address string) []string { return []string{"funnel", portOf(address)} },
		url:       regexp.MustCompile(`(https://[A-Za-z0-9.-]+\.ts\.net)\b`),
		install: map[string]string{
			"darwin": "brew install --cask tailscale-app", "windows": "winget install --id Tailscale.Tailscale",
			"linux": "curl -fsSL https://tailscale.com/install.sh | sh", "": "https://tailscale.com/download",
		},
	},
	{
		Name: "cloudflared", Title: "Cloudflare Tunnel",
		About:     message.New("another address at each start, without an account: to try it", "每次启动换一个地址，不需要账号：适合试用"),
		arguments: func(address string) []string { return []string{"tunnel", "--url", "http://" + address} },
		url:       regexp.MustCompile(`(https://[a-z0-9]+(?:-[a-z0-9]+)+\.trycloudflare\.com)\b`),
		install: map[string]string{
			"darwin": "brew install cloudflared", "windows": "winget install --id Cloudflare.cloudflared",
			"": "https://github.com/cloudflare/cloudflared/releases",
		},
	},
	{
		Name: "ngrok", Title: "ngrok",
		About:     message.New("an address that stays, for whoever has an account and has given it their authtoken", "地址保持不变，需要账号，并且已把 authtoken 交给它"),
		arguments: func(address string) []string { return []string{"http", address, "--log", "stdout"} },
		url:       regexp.MustCompile(`\burl=(https://[^\s"]+)`),
		install: map[string]string{
			"darwin": "brew install ngrok", "windows": "winget install --id Ngrok.Ngrok",
			"": "https://ngrok.com/download",
		},
	},
}

// ProgramNamed returns the program of a name.
func ProgramNamed(name string) (p Program, found bool) {
	for _, p := range Programs {
		if p.Name == name {
			return p, true
		}
	}
	return Program{}, false
}

// IsInstalled tells whether the program is on this machine, where a shell finds it.
func (p Program) IsInstalled() bool {
	_, err := exec.LookPath(p.Name)
	return err == nil
}

// Command is what is run to lead to a server that listens at an address of this machine,
// such as 127.0.0.1:8765.
func (p Program) Command(address string) []string {
	return append([]string{p.Name}, p.arguments(address)...)
}

// InstallHint is the command that installs the program on a system, as Go calls it, or the
// page to get it from.
func (p Program) InstallHint(system string) string {
	if command, ok := p.install[system]; ok {
		return command
	}
	return p.install[""]
}

// urlIn returns the address that a line of the program tells, "" for none.
func (p Program) urlIn(line string) string {
	if m := p.url.FindStringSubmatch(line); m != nil {
		return m[1]
	}
	return ""
}

func portOf(address string) string {
	_, port, _ := net.SplitHostPort(address)
	return port
}
