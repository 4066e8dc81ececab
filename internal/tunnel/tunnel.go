// Package tunnel starts programs that give a server on this machine a public HTTPS address, and reads
// the address from their output.
package tunnel

import (
	"net"
	"os/exec"
	"regexp"
	"time"

	"vademecum/internal/message"
)

// Program is a tunnel program.
type Program struct {
	Name      string // of the command
	Title     string // of the product
	About     message.Message
	arguments func(address string) []string
	url       *regexp.Regexp    // matches the address in its output, as the only group
	install   map[string]string // by GOOS; "" for all others
	advice    []advice
	quiet     time.Duration // 0: usualQuiet
}

// advice is what to do about a line of output.
type advice struct {
	said *regexp.Regexp
	do   message.Message
}

// unreached is the output of programs in Go that have no network.
var unreached = advice{
	regexp.MustCompile(`(?i)dial tcp|\blookup \S+|network is unreachable`),
	message.New("it reaches nothing on the internet: look at the network, and whether a firewall lets it out", "它连不上互联网：请检查网络，以及防火墙是否放行"),
}

// Programs are the supported programs. The first one has a permanent address.
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
		advice: []advice{
			{regexp.MustCompile(`(?i)not logged in|logged out|needs ?login`), message.New("sign this machine in: sudo tailscale up (in the app on macOS and Windows)", "请先登录：sudo tailscale up（macOS 和 Windows 上在应用里登录）")},
			{regexp.MustCompile(`local tailscaled`), message.New("start Tailscale: its app, or sudo systemctl start tailscaled", "请启动 Tailscale：打开它的应用，或 sudo systemctl start tailscaled")},
			{regexp.MustCompile(`(?i)access denied`), message.New("let your user do that, once: sudo tailscale set --operator=$USER", "请允许你的用户这样做，一次即可：sudo tailscale set --operator=$USER")},
			{regexp.MustCompile(`already exists`), message.New("something is shared there already: tailscale funnel status shows it, and tailscale funnel reset ends it", "那里已共享了别的东西：tailscale funnel status 显示它，tailscale funnel reset 结束它")},
			{regexp.MustCompile(`invalid argument|\{on\|off\}`), message.New("this Tailscale is too old: update it to 1.52 or newer", "这个 Tailscale 太旧：请更新到 1.52 或更新的版本")},
			unreached,
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
		advice: []advice{
			{regexp.MustCompile(`\b(429|1015)\b`), message.New("too many addresses were asked for from your network: try again in some minutes, or take another way", "你的网络请求的地址太多：请过几分钟再试，或换一种方法")},
			unreached,
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
		advice: []advice{
			{regexp.MustCompile(`ERR_NGROK_(105|107|4018)\b`), message.New("give it your authtoken, which stands at https://dashboard.ngrok.com/get-started/your-authtoken: ngrok config add-authtoken AUTHTOKEN", "请把 authtoken 交给它，见 https://dashboard.ngrok.com/get-started/your-authtoken：ngrok config add-authtoken AUTHTOKEN")},
			{regexp.MustCompile(`ERR_NGROK_(108|334)\b`), message.New("it runs already, here or elsewhere: end that one; https://dashboard.ngrok.com/agents shows where", "它已经在运行，在这里或别处：请先结束那一个；https://dashboard.ngrok.com/agents 显示在哪里")},
			{regexp.MustCompile(`ERR_NGROK_(120|121)\b`), message.New("this ngrok is too old: ngrok update", "这个 ngrok 太旧：ngrok update")},
			unreached,
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

// IsInstalled reports whether the program is on the PATH.
func (p Program) IsInstalled() bool {
	_, err := exec.LookPath(p.Name)
	return err == nil
}

// Command returns the command line for a server that listens at an address of this machine, such as
// 127.0.0.1:8765.
func (p Program) Command(address string) []string {
	return append([]string{p.Name}, p.arguments(address)...)
}

// InstallHint returns the command that installs the program on a system (GOOS), or the URL of its
// download page.
func (p Program) InstallHint(system string) string {
	if command, ok := p.install[system]; ok {
		return command
	}
	return p.install[""]
}

// urlIn returns the public address in a line of output, "" for none.
func (p Program) urlIn(line string) string {
	if m := p.url.FindStringSubmatch(line); m != nil {
		return m[1]
	}
	return ""
}

// adviceOn returns what to do about a line of output, "" if that is not known.
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
