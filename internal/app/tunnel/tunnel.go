// Package tunnel starts programs that give a server on this machine a public HTTPS address, and
// reads the address from their output.
package tunnel

import (
	"net"
	"os/exec"
	"time"

	"vademecum/internal/base/lazyregexp"
	"vademecum/internal/base/message"
)

// Program is a tunnel program that is supported.
type Program struct {
	Name        string // name of the command
	Title       string // name of the product
	Description message.Message
	arguments   func(address string) []string
	url         *lazyregexp.Regexp // matches the public address in the output, in its only group
	install     map[string]string  // how to install it, by GOOS; "" is for all other systems
	advice      []advice
	quiet       time.Duration // 0 means usualQuiet
}

// advice is what the user should do if a line of output matches said.
type advice struct {
	said *lazyregexp.Regexp
	do   message.Message
}

// unreached is the advice on the output of Go programs that have no network.
var unreached = advice{
	lazyregexp.New(`(?i)dial tcp|\blookup \S+|network is unreachable`),
	message.New("it cannot reach the internet: check the network, and whether a firewall blocks it"),
}

// Programs are the supported tunnel programs. The first one gives a permanent address.
var Programs = []Program{
	{
		Name: "tailscale", Title: "Tailscale Funnel",
		Description: message.New("a permanent address, which requires an account; it asks you to allow Funnel the first time"),
		arguments:   func(address string) []string { return []string{"funnel", portOf(address)} },
		url:         lazyregexp.New(`(https://[A-Za-z0-9.-]+\.ts\.net)\b`),
		install: map[string]string{
			"darwin": "brew install --cask tailscale-app", "windows": "winget install --id Tailscale.Tailscale",
			"linux": "curl -fsSL https://tailscale.com/install.sh | sh", "": "https://tailscale.com/download",
		},
		advice: []advice{
			{lazyregexp.New(`(?i)not logged in|logged out|needs ?login`), message.New("sign this machine in: sudo tailscale up (in the app on macOS and Windows)")},
			{lazyregexp.New(`local tailscaled`), message.New("start Tailscale: its app, or sudo systemctl start tailscaled")},
			{lazyregexp.New(`(?i)access denied`), message.New("allow your user to do that, once: sudo tailscale set --operator=$USER")},
			{lazyregexp.New(`already exists`), message.New("something is already shared there: tailscale funnel status shows it, and tailscale funnel reset stops it")},
			{lazyregexp.New(`invalid argument|\{on\|off\}`), message.New("this Tailscale is too old: update it to 1.52 or newer")},
			unreached,
		},
	},
	{
		Name: "cloudflared", Title: "Cloudflare Tunnel",
		Description: message.New("a new address at each start, without an account: to try it out"),
		arguments:   func(address string) []string { return []string{"tunnel", "--url", "http://" + address} },
		url:         lazyregexp.New(`(https://[a-z0-9]+(?:-[a-z0-9]+)+\.trycloudflare\.com)\b`),
		install: map[string]string{
			"darwin": "brew install cloudflared", "windows": "winget install --id Cloudflare.cloudflared",
			"": "https://github.com/cloudflare/cloudflared/releases",
		},
		advice: []advice{
			{lazyregexp.New(`\b(429|1015)\b`), message.New("too many addresses were requested from your network: try again in a few minutes, or use another method")},
			unreached,
		},
	},
	{
		Name: "ngrok", Title: "ngrok",
		Description: message.New("a permanent address, which requires an account and its authtoken"),
		arguments:   func(address string) []string { return []string{"http", address, "--log", "stdout"} },
		url:         lazyregexp.New(`\burl=(https://[^\s"]+)`),
		install: map[string]string{
			"darwin": "brew install ngrok", "windows": "winget install --id Ngrok.Ngrok",
			"": "https://ngrok.com/download",
		},
		advice: []advice{
			{lazyregexp.New(`ERR_NGROK_(105|107|4018)\b`), message.New("give it your authtoken, which is at https://dashboard.ngrok.com/get-started/your-authtoken: ngrok config add-authtoken AUTHTOKEN")},
			{lazyregexp.New(`ERR_NGROK_(108|334)\b`), message.New("it is already running, here or elsewhere: stop that one; https://dashboard.ngrok.com/agents shows where")},
			{lazyregexp.New(`ERR_NGROK_(120|121)\b`), message.New("this ngrok is too old: ngrok update")},
			unreached,
		},
	},
}

// FindProgram returns the supported program with a name.
func FindProgram(name string) (p Program, found bool) {
	for _, p := range Programs {
		if p.Name == name {
			return p, true
		}
	}
	return Program{}, false
}

// IsInstalled reports whether the program is on the PATH.
func (p Program) IsInstalled() bool {
	_, err := exec.LookPath(p.Name)
	return err == nil
}

// Command returns the command line that opens a tunnel to a server at an address of this machine,
// such as 127.0.0.1:8765.
func (p Program) Command(localAddress string) []string {
	return append([]string{p.Name}, p.arguments(localAddress)...)
}

// InstallHint returns the command that installs the program on a system, or the URL of its download
// page.
func (p Program) InstallHint(goos string) string {
	if command, ok := p.install[goos]; ok {
		return command
	}
	return p.install[""]
}

// urlIn returns the public address in a line of output; "" if there is none.
func (p Program) urlIn(line string) string {
	if m := p.url.FindStringSubmatch(line); m != nil {
		return m[1]
	}
	return ""
}

// adviceOn returns advice on a line of output; "" if there is none.
func (p Program) adviceOn(line string) message.Message {
	for _, a := range p.advice {
		if a.said.MatchString(line) {
			return a.do
		}
	}
	return ""
}

func portOf(address string) string {
	_, port, _ := net.SplitHostPort(address)
	return port
}
