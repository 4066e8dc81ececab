package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"vademecum/embed"
	"vademecum/index/notice"
	"vademecum/internal/hosts"
	"vademecum/internal/message"
	"vademecum/internal/present"
	"vademecum/internal/spelling"
)

// installOptions holds the flags of install and uninstall.
type installOptions struct {
	name, url, results string
	authorities, token string
	print, dryRun      bool
	all, add           bool

	line  []string    // what a host gives to the program, of what was told here
	found serverProbe // at the URL
}

func (p *program) install() *cobra.Command {
	var o installOptions
	c := &cobra.Command{
		Use:   "install [HOST FOLDER...]",
		Short: "have an MCP host start the program with your folder",
		Long: `have an MCP host start the program with your folder

Without arguments it lists the hosts that were found on this machine. Only the
entry of the program is changed in the configuration of a host; what was there
before the first time is kept beside it, and so is what was there before an entry
was last replaced. What serve would refuse is refused before anything is written.

Hosts: ` + strings.Join(hostNames(), ", ") + `.`,
		Example: `  vademecum install claude-desktop notes
  vademecum install cursor notes papers --embed ollama:bge-m3
  vademecum install cursor --add letters
  vademecum install --all notes
  vademecum install vscode --url http://localhost:8080/mcp`,
		ValidArgsFunction: completeHosts,
		RunE: func(c *cobra.Command, args []string) error {
			m, err := hosts.ThisMachine()
			if err != nil {
				return err
			}
			if len(args) == 0 && o.url == "" && !o.all {
				return p.listHosts(m, o.name)
			}
			var h hosts.Host
			if !o.all {
				if h, err = hostOfArgs(args); err != nil {
					return err
				}
				if err := o.checkAuthorities(h); err != nil {
					return err
				}
				args = args[1:]
			} else if err := checkNoHost(args); err != nil {
				return err
			}
			if err := p.checkInstallOptions(c, &o, args); err != nil {
				return err
			}
			if o.all {
				return p.installInAllHosts(c.Context(), m, o)
			}
			return p.installOne(c.Context(), m, h, o)
		},
	}
	flags := c.Flags()
	flags.StringVar(&o.name, "name", "vademecum", "how the host calls it, `NAME`")
	flags.BoolVar(&o.all, "all", false, "in every host that was found on this machine: give folders, and no host")
	flags.BoolVar(&o.add, "add", false, "add the folders to those that the entry has, and keep its flags")
	flags.StringVar(&o.url, "url", "", "have the host reach a server at this `URL` instead of starting one")
	flags.StringVar(&o.token, "token-variable", "", "with --url: the `NAME` of the variable that has your token for the server (default "+hosts.ConnectVariable+", where it is found to ask for one)")
	flags.StringVar(&o.authorities, "ca-file", "", "with --url, for a host that knows only stdio: trust the authorities in this `FILE` too")
	flags.StringVar(&o.results, "results", "auto", "how passages are returned, `MODE`: auto, text, resource or both")
	flags.Bool("log-queries", false, "log what is asked, too, where calls are logged (level info)")
	p.reranker.define(flags)
	flags.BoolVar(&o.print, "print", false, "only print what to paste")
	flags.BoolVar(&o.dryRun, "dry-run", false, "only show what would be changed")
	return c
}

// checkNoHost refuses a host beside --all, which a folder of that name is not.
func checkNoHost(args []string) error {
	if len(args) == 0 || isFolder(args[0]) {
		return nil
	}
	h, ok := hosts.Named(args[0])
	if !ok {
		return nil
	}
	rest := ""
	for _, arg := range args[1:] {
		rest += " " + quoteArg(arg)
	}
	return usageError{message.Errorf("--all takes no host, and was given %s", "--all 不接受 AI 程序，而给出了 %s", present.QuoteName(args[0])),
		message.New("vademecum install %[1]s%[2]s is for %[3]s alone, vademecum install --all%[2]s for every host", "vademecum install %[1]s%[2]s 只用于 %[3]s，vademecum install --all%[2]s 用于所有 AI 程序", h.Name, rest, h.Title)}
}

// installOne puts the entry into the configuration of one host, or says what to put.
func (p *program) installOne(ctx context.Context, m hosts.Machine, h hosts.Host, o installOptions) error {
	s, err := p.hostServer(m, h, o)
	if err != nil {
		return err
	}
	if o.print || h.ConfigFile(m) == "" {
		return p.printSnippet(m, h, s, o.print)
	}
	return p.writeHostEntry(ctx, m, h, s, o)
}

// installInAllHosts does so for each host that was found; one that fails keeps no other
// from it. Who interrupts it finds the others as they were.
func (p *program) installInAllHosts(ctx context.Context, m hosts.Machine, o installOptions) error {
	done, failed := 0, 0
	for _, h := range hosts.All {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if !h.IsInstalled(m) {
			continue
		}
		if done+failed > 0 {
			fmt.Fprintln(&p.out)
		}
		switch err := p.installOne(ctx, m, h, o); {
		case err == nil:
			done++
		case ctx.Err() != nil:
			return ctx.Err()
		default:
			failed++
			fmt.Fprint(&p.out, p.localise("%s is left as it is: %s\n", "%s 保持不变：%s\n", h.Title, typeableCommands(p.translate(notice.ErrorLine(err)))))
		}
	}
	switch {
	case failed > 0:
		return message.Errorf("%d of %v failed", "%[2]v中有 %[1]d 个失败", failed, notice.Count(done+failed, "host", " 个 AI 程序"))
	case done == 0:
		return message.Errorf("no host was found on this machine: name one, vademecum install --help lists them", "本机没有找到 AI 程序：请指定一个，vademecum install --help 列出全部")
	}
	return nil
}

func (p *program) uninstall() *cobra.Command {
	var o installOptions
	c := &cobra.Command{
		Use:               "uninstall HOST",
		Short:             "take the program out of the configuration of an MCP host",
		Example:           `  vademecum uninstall claude-desktop`,
		ValidArgsFunction: completeHosts,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 && isFolder(args[0]) {
				return usageError{message.Errorf("uninstall takes a host, not a folder", "uninstall 后面写 AI 程序，不是文件夹"), message.New("vademecum install --help lists the hosts", "vademecum install --help 列出全部 AI 程序")}
			}
			h, err := hostOfArgs(args)
			if err != nil {
				return err
			}
			if len(args) > 1 {
				return usageErrorf("uninstall takes a host and nothing else, got %s", "uninstall 只接受一个 AI 程序，多给了 %s", present.QuoteName(args[1]))
			}
			m, err := hosts.ThisMachine()
			if err != nil {
				return err
			}
			if h.ConfigFile(m) == "" {
				return message.Errorf("%s has no file that a program may edit: remove %s in its settings", "%s 没有可由程序修改的文件：请在它的设置中移除 %s", h.Title, o.name)
			}
			return p.uninstallFrom(c.Context(), m, h, o)
		},
	}
	c.Flags().StringVar(&o.name, "name", "vademecum", "how the host calls it, `NAME`")
	c.Flags().BoolVar(&o.dryRun, "dry-run", false, "only show what would be changed")
	return c
}

func hostNames() (names []string) {
	for _, h := range hosts.All {
		names = append(names, h.Name)
	}
	return names
}

// hostOfArgs is the one that the first argument names, or the mistake with what was
// probably meant.
func hostOfArgs(args []string) (hosts.Host, error) {
	all := message.New("vademecum install --help lists the hosts", "vademecum install --help 列出全部 AI 程序")
	if len(args) == 0 {
		return hosts.Host{}, usageError{message.Errorf("give the host", "请给出 AI 程序"), all}
	}
	h, ok := hosts.Named(args[0])
	if ok {
		return h, nil
	}
	meant := spelling.NearestName(args[0], hostNames())
	unknown := message.Errorf("unknown host %s", "未知的 AI 程序 %s", quoteArgs(args[:1]))
	switch {
	case isFolder(args[0]):
		return h, usageError{message.Errorf("%s is a folder, not a host", "%s 是文件夹，不是 AI 程序", present.QuoteName(args[0])),
			message.New("the host comes first: vademecum install %s %s", "AI 程序写在前面：vademecum install %s %s", firstHostIn(args[1:]), quoteArg(args[0]))}
	case strings.EqualFold(args[0], "all"):
		return h, usageError{message.Errorf("there is no host called all", "没有名为 all 的 AI 程序"), adviceOnMeant("--all")}
	case strings.EqualFold(args[0], "claude"):
		return h, usageError{message.Errorf("there are two hosts called claude", "有两个名为 claude 的 AI 程序"), message.New("claude-desktop has windows, claude-code runs in a terminal", "claude-desktop 有窗口，claude-code 在终端中运行")}
	case meant != "":
		return h, usageError{unknown, message.New("did you mean %s? %v", "是指 %s 吗？%v", meant, all)}
	}
	return h, usageError{unknown, all}
}

// firstHostIn is the first host that words name, or what stands for one.
func firstHostIn(words []string) string {
	for _, word := range words {
		if h, ok := hosts.Named(word); ok {
			return h.Name
		}
	}
	return "HOST"
}

func completeHosts(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveFilterDirs
	}
	var names []string
	for _, h := range hosts.All {
		if strings.HasPrefix(h.Name, typed) {
			names = append(names, cobra.CompletionWithDesc(h.Name, h.Title))
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

func (p *program) writeHostEntry(ctx context.Context, m hosts.Machine, h hosts.Host, s hosts.Server, o installOptions) error {
	change, err := h.PlanAdd(m, s)
	if err != nil {
		return p.withPasteHint(h, s, err)
	}
	if !h.IsInstalled(m) {
		p.notes = append(p.notes, p.localise("%s was not found on this machine", "本机没有找到 %s", h.Title))
	}
	edit := change.Edit
	switch {
	case !edit.HasChanges():
		fmt.Fprint(&p.out, p.localise("nothing to change: %s has it like this already, in %s\n", "无需更改：%s 已经是这样，见 %s\n", h.Title, present.QuoteName(edit.File)))
		return nil
	case o.dryRun:
		p.showChange(change)
		p.tellReplaced(h, edit, s)
		return nil
	}
	if err := p.makeChange(ctx, change); err != nil {
		return p.withPasteHint(h, s, err)
	}
	fmt.Fprint(&p.out, p.localise("%s has it now as %s, in %s\n", "已写入 %s，名称为 %s，见 %s\n", h.Title, s.Name, present.QuoteName(edit.File)))
	if p.tellReplaced(h, edit, s) {
		fmt.Fprint(&p.out, p.localise("kept: the file as it was, %s\n", "已保留原来的文件：%s\n", present.QuoteName(edit.Replaced)))
	}
	p.tellToken(m, h, s, edit, o.found)
	p.tellNextStep(h, h.Next)
	p.tellKey(h)
	p.tellOtherNames(m, h, s.Name)
	return nil
}

// tellNextStep says what is left to do by hand.
func (p *program) tellNextStep(h hosts.Host, next message.Message) {
	if h.Rewrites {
		fmt.Fprint(&p.out, p.localise("if %s is running: quit it and give this command once more, as it writes its file while it runs\n", "如果 %s 正在运行：请退出它并再次执行此命令，因为它运行时会写自己的文件\n", h.Title))
	}
	if next == "" {
		next = message.New("restart %s", "重新启动 %s", h.Title)
	}
	fmt.Fprint(&p.out, p.localise("next: %v\n", "下一步：%v\n", next))
}

// tellTokens says how the host comes to the token of a server, which is not written into
// a file.
func (p *program) tellToken(m hosts.Machine, h hosts.Host, s hosts.Server, edit hosts.Edit, found serverProbe) {
	switch {
	case s.URL == "":
	case edit.KeepsToken():
		p.notes = append(p.notes, p.localise("%s keeps the token that its entry has", "%s 保留条目中已有的令牌", h.Title))
	case s.Token != "":
		fmt.Fprint(&p.out, p.localise("next: %v\n", "下一步：%v\n", h.TokenAdvice(m, s)))
	case found.provider:
		p.notes = append(p.notes, p.localise("the server asks who you are, and %s has you sign in; where it cannot, give --token-variable with the name of a variable that has a token", "服务器要确认你的身份，%s 会让你登录；如果它做不到，请用 --token-variable 给出存放令牌的变量名", h.Title))
	}
}

// tellProbeProblem says what is the matter with the server at the URL.
func (p *program) tellProbeProblem(o installOptions) {
	switch f := o.found; {
	case f.away != nil:
		note := message.New("nobody answers at %s now: %v", "%s 现在没有应答：%v", present.QuoteName(o.url), notice.ErrorLine(f.away))
		if other := withMCPPath(o.url); other != o.url {
			note = message.New("%v; a server of this program is at %s", "%v；本程序的服务器地址是 %s", note, present.QuoteName(other))
		}
		if o.token == "" {
			note = message.New("%v; if it asks for a token, give --token-variable %s too", "%v；如果它需要令牌，请再加上 --token-variable %s", note, hosts.ConnectVariable)
		}
		p.notes = append(p.notes, p.translate(note))
	case f.untrusted != nil:
		p.notes = append(p.notes, p.localise("the certificate of the server is not trusted here: %v; a host refuses it too, unless the system trusts the authority, or the host is one that runs in Node and has NODE_EXTRA_CA_CERTS=FILE in its environment", "本机不信任服务器的证书：%v；AI 程序同样会拒绝，除非系统信任该证书颁发机构，或它在 Node 中运行且环境中有 NODE_EXTRA_CA_CERTS=FILE", notice.ErrorLine(f.untrusted)))
	case f.refuses != "":
		p.notes = append(p.notes, p.localise("the server refuses this machine: %s", "服务器拒绝本机：%s", f.refuses))
	}
}

// tellKey says what is not installed, see missingKeys.
func (p *program) tellKey(h hosts.Host) {
	for _, note := range p.missingKeys(h) {
		p.notes = append(p.notes, p.translate(note))
	}
}

// missingKeys says that a key, or what may have a password in it, is not installed, where
// the host does not pass it on.
func (p *program) missingKeys(h hosts.Host) (notes []message.Message) {
	if !h.NeedsKeyByHand() {
		return nil
	}
	if key := likelyKey(embed.EnvironmentVariables(p.embedSpec)); key != "" && embed.PropertiesOf(p.embedSpec).Host != "" {
		notes = append(notes, message.New("no key is written into files: %s must have %s in the environment that it is started in, or under env in the entry", "密钥不会写入文件：请在启动 %s 的环境中或条目的 env 下设置 %s", h.Title, key))
	}
	if p.reranker.host(p.embedSpec) != "" {
		notes = append(notes, message.New("no key is written into files: if the reranker wants one, %s must have %s in the environment that it is started in, or under env in the entry", "密钥不会写入文件：如果重排模型需要，请在启动 %s 的环境中或条目的 env 下设置 %s", h.Title, likelyKey(p.reranker.usedVariables())))
	}
	if p.store == "" && os.Getenv(storeVariable) != "" {
		notes = append(notes, message.New("no address of a database is written into files: %s must have %s in the environment that it is started in, or under env in the entry", "数据库地址不会写入文件：请在启动 %s 的环境中或条目的 env 下设置 %s", h.Title, storeVariable))
	}
	return notes
}

// likelyKey is the key that a model is most likely to want.
func likelyKey(variables []string) string {
	for _, name := range variables {
		if hosts.IsKey(name) {
			return name
		}
	}
	return ""
}

// makeChange makes a change, and notes where the host's own command failed.
func (p *program) makeChange(ctx context.Context, c hosts.Change) error {
	failed, err := c.Make(ctx)
	if failed != nil {
		p.notes = append(p.notes, p.localise("%s failed (%v): %s", "%s 失败（%v）：%s", failed.Command, failed.Err, failed.Said))
	}
	return err
}

func (p *program) showChange(c hosts.Change) {
	if c.Command != nil {
		fmt.Fprint(&p.out, p.localise("would run: %s\n\n", "将运行：%s\n\n", shellLine(c.Command)))
	}
	edit := c.Edit
	if edit.RemovesFile() {
		fmt.Fprint(&p.out, p.localise("would remove %s, which holds nothing else\n", "将删除 %s，其中没有别的内容\n", present.QuoteName(edit.File)))
		return
	}
	would := message.New("would be changed in %s", "将更改 %s", present.QuoteName(edit.File))
	if edit.MakesFile() {
		would = message.New("would be put into a new file, %s", "将写入新文件 %s", present.QuoteName(edit.File))
	}
	fmt.Fprint(&p.out, p.localise("%v:\n%s", "%v：\n%s", would, edit.Diff()))
}

func shellLine(line []string) string {
	words := make([]string, len(line))
	for i, word := range line {
		words[i] = quoteArg(word)
	}
	return strings.Join(words, " ")
}

// withPasteHint says what to paste when a file is not changed.
func (p *program) withPasteHint(h hosts.Host, s hosts.Server, err error) error {
	if !errors.As(err, new(*hosts.Refusal)) && !errors.Is(err, os.ErrPermission) {
		return err
	}
	if snippet, none := h.Snippet(s); none == nil {
		fmt.Fprint(&p.out, p.localise("to put into it by hand:\n\n%s", "请手动写入以下内容：\n\n%s", snippet))
	}
	return err
}

// printSnippet prints what to paste, or only the link where that is all there is.
func (p *program) printSnippet(m hosts.Machine, h hosts.Host, s hosts.Server, all bool) error {
	link, err := h.Link(s)
	if err != nil {
		return err
	}
	if file := h.ConfigFile(m); file != "" {
		snippet, err := h.Snippet(s)
		if err != nil {
			return err
		}
		fmt.Fprintf(&p.out, "%s\n\n%s", present.QuoteName(file), snippet)
	}
	if add, _ := h.OwnCommands(s); add != nil {
		fmt.Fprintf(&p.out, "\n%s\n", shellLine(add))
	}
	if link != "" {
		if !all {
			fmt.Fprint(&p.out, p.localise("%s has no file to edit; it asks when this link is opened:\n", "%s 没有可修改的文件；打开此链接时它会询问：\n", h.Title))
		}
		fmt.Fprintf(&p.out, "\n%s\n", link)
	}
	if s.URL != "" && s.Token != "" {
		fmt.Fprint(&p.out, p.localise("\nnext: %v\n", "\n下一步：%v\n", h.TokenAdvice(m, s)))
	}
	if link, err = h.WebLink(s); err == nil && link != "" {
		fmt.Fprint(&p.out, p.localise("\nthe same for a web page or a mail; it goes through a page of the host's maker, who may see what it says:\n\n%s\n", "\n用于网页或邮件的同样链接；它经过该 AI 程序开发商的页面，对方可能看到其中的内容：\n\n%s\n", link))
	}
	return err
}

func (p *program) uninstallFrom(ctx context.Context, m hosts.Machine, h hosts.Host, o installOptions) error {
	change, err := h.PlanTakeOut(m, o.name)
	if err != nil {
		return err
	}
	edit := change.Edit
	switch {
	case !edit.HasChanges():
		fmt.Fprint(&p.out, p.localise("nothing to remove: %s has no %s in %s\n", "无需移除：%s 在 %[3]s 中没有 %[2]s\n", h.Title, o.name, present.QuoteName(edit.File)))
		p.tellOtherNames(m, h, o.name)
		return nil
	case o.dryRun:
		p.showChange(change)
		return nil
	}
	if err := p.makeChange(ctx, change); err != nil {
		return err
	}
	fmt.Fprint(&p.out, p.localise("%s has it no more, in %s\n", "已从 %s 移除，见 %s\n", h.Title, present.QuoteName(edit.File)))
	if edit.RemovesFile() {
		fmt.Fprintln(&p.out, p.localise("removed: that file, in which nothing else stood", "该文件已删除，其中没有别的内容"))
	}
	if edit.BackupHasEntry() {
		fmt.Fprint(&p.out, p.localise("kept: the file with the entry that was there before, %s\n", "已保留含有原有条目的文件：%s\n", present.QuoteName(edit.Backup)))
	}
	p.tellNextStep(h, "")
	return nil
}

// tellOtherNames prints the other names under which the host has entries of the program.
func (p *program) tellOtherNames(m hosts.Machine, h hosts.Host, name string) {
	entries, err := h.Installed(m, name)
	if err != nil {
		return // what is wrong with the file was told before
	}
	for _, e := range entries {
		if e.Name != name {
			p.notes = append(p.notes, p.localise("it has the program as %s, too: vademecum uninstall %s --name %s", "它还有名为 %s 的条目：vademecum uninstall %s --name %s", present.QuoteName(e.Name), h.Name, quoteArg(e.Name)))
		}
	}
}
