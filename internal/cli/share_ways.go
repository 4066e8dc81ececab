package cli

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"

	"vademecum/internal/tunnel"
)

// proxy is a program that people have before servers, with a certificate of their own.
type proxy struct {
	name, title string
	file        string // where its configuration lies
	config      string // with %s for where the server listens
}

var proxies = []proxy{
	{"caddy", "Caddy", "/etc/caddy/Caddyfile", `kb.example.com {
	reverse_proxy %s
}`},
	{"nginx", "nginx", "/etc/nginx", `location / {
	proxy_pass http://%s;
	proxy_http_version 1.1;
	proxy_set_header Host $http_host;
	proxy_set_header X-Forwarded-Proto $scheme;
	proxy_set_header X-Forwarded-For $remote_addr;
	client_max_body_size 20m;
	proxy_buffer_size 32k;
	proxy_buffers 4 32k;
}`},
}

// isInstalled tells whether it is on this machine. Where it is a service, the PATH of a user
// may not have it.
func (x proxy) isInstalled() bool {
	_, err := exec.LookPath(x.name)
	if err != nil {
		_, err = os.Stat(x.file)
	}
	return err == nil
}

// printShareWays prints what could give a server that listens at an address one for others, what
// is here first. Nothing of it is started.
func (p *program) printShareWays(address string) {
	fmt.Fprintln(&p.out, p.localise("Claude and ChatGPT reach a server by an HTTPS address. Each of these can give it one:", "Claude 和 ChatGPT 通过 HTTPS 地址访问服务器。以下每种方法都可以得到这样的地址："))
	steps := &numberedSteps{program: p, out: &p.out}
	again := func(flag, value string) string {
		return called() + " " + shellLine(append(slices.Clone(p.args), flag, value))
	}
	for _, t := range tunnel.Programs {
		if t.IsInstalled() {
			steps.printStep("%s, which is here: %v\n   %s\n   runs: %s", "%s，本机已有：%v\n   %s\n   它会运行：%s", t.Title, t.About, again("--tunnel", t.Name), shellLine(t.Command(address)))
		}
	}
	domain := again("--public-url", "https://kb.example.com")
	for _, x := range proxies {
		if x.isInstalled() {
			config := strings.ReplaceAll(fmt.Sprintf(x.config, address), "\n", "\n   ")
			steps.printStep("%s, which is here, for a domain of your own that leads to this machine; in %s, with a certificate:\n   %s\n   and then: %s", "%s，本机已有，适合指向这台机器的自有域名；在 %s 里写入以下内容，并配好证书：\n   %s\n   然后：%s", x.title, x.file, config, domain)
		}
	}
	for _, t := range tunnel.Programs {
		if !t.IsInstalled() {
			steps.printStep("%s, which is not here: %v\n   to get it: %s\n   and then: %s", "%s，本机没有：%v\n   获取方法：%s\n   然后：%s", t.Title, t.About, t.InstallHint(runtime.GOOS), again("--tunnel", t.Name))
		}
	}
	if !slices.ContainsFunc(proxies, proxy.isInstalled) {
		steps.printStep("A domain of your own that leads to this machine, and a proxy before it such as Caddy (vademecum help team)\n   and then: %s", "指向这台机器的自有域名，前面放一个代理，例如 Caddy（vademecum help team）\n   然后：%s", domain)
	}
}
