package cli

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"

	"vademecum/internal/app/tunnel"
)

// proxy is a reverse proxy program that terminates TLS.
type proxy struct {
	name, title string
	folder      string // directory of its configuration
	file        string // file to which the configuration is written
	config      string // configuration as a format; %s stands for the address of the server
	certificate string // command that obtains a certificate; "" if the proxy does that by itself
	reload      string // command that makes the proxy read its configuration again
}

var proxies = []proxy{
	{"caddy", "Caddy", "/etc/caddy", "/etc/caddy/Caddyfile", `kb.example.com {
	reverse_proxy %s
}`, "", "sudo systemctl reload caddy"},
	{"nginx", "nginx", "/etc/nginx", "/etc/nginx/conf.d/vademecum.conf", `server {
	listen 443 ssl;
	server_name kb.example.com;
	ssl_certificate /etc/letsencrypt/live/kb.example.com/fullchain.pem;
	ssl_certificate_key /etc/letsencrypt/live/kb.example.com/privkey.pem;
	location / {
		proxy_pass http://%s;
		proxy_http_version 1.1;
		proxy_set_header Host $http_host;
		proxy_set_header X-Forwarded-Proto $scheme;
		proxy_set_header X-Forwarded-For $remote_addr;
		client_max_body_size 20m;
		proxy_buffer_size 32k;
		proxy_buffers 4 32k;
	}
}`, "sudo certbot certonly --nginx -d kb.example.com", "sudo nginx -t && sudo systemctl reload nginx"},
}

// isInstalled reports whether the program is on the PATH or has a directory for its configuration:
// a service may not be on a user's PATH.
func (x proxy) isInstalled() bool {
	_, err := exec.LookPath(x.name)
	if err != nil {
		_, err = os.Stat(x.folder)
	}
	return err == nil
}

// printTunnelsAndProxies prints the programs that can give the server a public HTTPS address, those
// that are installed first. It starts none of them.
func (p *program) printTunnelsAndProxies(address string) {
	fmt.Fprintln(&p.out, p.localise("Claude and ChatGPT connect to a server at an HTTPS address. Any of these can provide one:"))
	steps := &numberedSteps{program: p, out: &p.out}
	again := func(flag, value string) string {
		return programName() + " " + shellLine(append(slices.Clone(p.args), flag, value))
	}
	for _, t := range tunnel.Programs {
		if t.IsInstalled() {
			steps.printStep("%s, which is installed: %v\n   %s\n   runs: %s", t.Title, t.Description, again("--tunnel", t.Name), shellLine(t.Command(address)))
		}
	}
	domain := again("--public-url", "https://kb.example.com")
	for _, x := range proxies {
		if x.isInstalled() {
			p.printProxyConfiguration(steps, x, address, domain)
		}
	}
	for _, t := range tunnel.Programs {
		if !t.IsInstalled() {
			steps.printStep("%s, which is not installed: %v\n   to get it: %s\n   and then: %s", t.Title, t.Description, t.InstallHint(runtime.GOOS), again("--tunnel", t.Name))
		}
	}
	if !slices.ContainsFunc(proxies, proxy.isInstalled) {
		steps.printStep("Your own domain that points to this machine, with a proxy in front of it such as Caddy (vademecum help team)\n   and then: %s", domain)
	}
}

// printProxyConfiguration prints, as steps, how to configure a reverse proxy for the server.
func (p *program) printProxyConfiguration(steps *numberedSteps, x proxy, address, domain string) {
	config := strings.ReplaceAll(fmt.Sprintf(x.config, address), "\n", "\n   ")
	steps.printStep("%s, which is installed, for your own domain that points to this machine; replace kb.example.com with your domain", x.title)
	if x.certificate != "" {
		fmt.Fprintln(&p.out, "   "+p.localise("the certificate: %s", x.certificate))
	}
	fmt.Fprintln(&p.out, "   "+p.localise("in %s:\n   %s\n   and then: %s\n   and then: %s", x.file, config, x.reload, domain))
}
