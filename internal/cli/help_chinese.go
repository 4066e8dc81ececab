package cli

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vademecum/embed"
	"vademecum/embed/hub"
	"vademecum/index"
	"vademecum/internal/hosts"
	"vademecum/internal/manual"
	"vademecum/internal/message"
)

// commandsInChinese returns the help of each command in Chinese: a line, and the full text if there
// is more to say.
func commandsInChinese() map[string]struct{ short, long string } {
	return map[string]struct{ short, long string }{
		"":              {"把文件夹中的文档变成供 AI 程序（MCP）查询的知识库", "对一个文件夹的第一条命令会建立索引，以后的只读取有变化的内容。"},
		"install":       {"让 AI 程序带着你的文件夹启动本程序", "不带参数时列出本机找到的 AI 程序。在 AI 程序的配置中只更改本程序的条目；第一次更改前的\n内容会保留在旁边，条目被替换前的内容也会保留。serve 会拒绝的，这里在写入之前就拒绝。\n\nAI 程序：" + strings.Join(hostNames(), "、") + "。"},
		"uninstall":     {"从 AI 程序的配置中去掉本程序", ""},
		"serve":         {"通过 stdin 和 stdout 回答一个 AI 程序（由它自己启动），或通过 HTTP 回答许多", "前者由 AI 程序自己启动：先用 vademecum install 或手动告诉它，写出程序和文件夹的完整路径。"},
		"share":         {"从 claude.ai、手机和 ChatGPT 访问文件夹，并说明方法", "不带选项时说明本机有什么能给服务器一个 HTTPS 地址。--tunnel 启动那个程序；--public-url\n用于你自己的代理或隧道。它创建第一个令牌，像 serve --http 那样服务，像别人那样检查这个\n地址，并说明在哪里粘贴什么。按 Ctrl-C 全部结束。"},
		"connect":       {"让只支持 stdio 的 AI 程序使用 HTTP 上的 MCP 服务器", "由 AI 程序像启动服务器一样启动它。服务器需要令牌时，从环境变量 VADEMECUM_TOKEN 读取\n用户的令牌。服务器离开后一恢复，会话就继续。"},
		"search":        {"打印能回答问题的段落", ""},
		"find":          {"打印一段文字的每一处", ""},
		"open":          {"在浏览器里看文件夹：查找、阅读、看索引了什么", "这个页面只给你自己：它在本机上，通向它的链接只能用一次。下次地址不变，在打开过它的\n浏览器中书签仍然有效。它在运行时，再次执行此命令会用另一个链接打开它，然后结束。\n按 Ctrl-C 结束页面；页面关闭一小时后会自己结束。"},
		"index":         {"更新索引，并说明哪些没有索引", ""},
		"status":        {"说明索引里有什么，而不更新它", ""},
		"doctor":        {"查找为什么得不到回答，并说明该怎么办", "它检查本程序，启动本机的 AI 程序会启动的内容，访问它们会访问的 URL，检查文件夹及其索引、\n系统允许监视的数量、磁盘空间、内存和模型，并像 AI 程序那样询问一个自己的服务器。有故障时\n以 1 退出。"},
		"eval":          {"衡量你自己的问题回答得有多好", ""},
		"store":         {"建立和维护共享数据库中的表（--store）", ""},
		"store migrate": {"建立表，或升级到此版本；其中的内容保留", "请以将要拥有这些表的角色运行，并给服务器另一个只能更改行的角色。"},
		"store check":   {"读取所有库，比对每一行的校验和，以及列表与段落", ""},
		"store stats":   {"统计各库中有什么，以及表有多大", ""},
		"store vacuum":  {"移除旧版本格式的库，并归还空间", "请在所有服务器都是此版本时，以拥有这些表的角色运行：旧版本会重新索引被移除的内容。还没有\n被此版本的任何程序索引的会保留并列出。向量保留；应有而还没有索引的会建立索引，一百万个向量\n需要许多分钟，期间服务器照常工作。它在服务器的设置所允许的范围内使用内存，也可以另给\nmaintenance_work_mem：--store 'postgres://owner@host/vademecum?options=-cmaintenance_work_mem%3D2GB'"},
		"store remove":  {"移除一个库：它的文字、段落和向量", "由服务器维护的库不会被移除：请先结束那个服务器。只查找它的服务器会说明它已被移除，直到重新\n索引。移除的可以重新索引，使用模型时要再付一次费用。"},
		"model":         {"下载、列出和移除在本机运行的嵌入模型", ""},
		"model get":     {"下载一个模型，或修复损坏的模型", "它来自 huggingface.co 或 HF_ENDPOINT 指定的服务器，保存在用户的缓存文件夹中。不会发送你的\n任何内容。中断的下载会接着进行；每个文件都按 SHA-256 核对。已有的会读取并与下载时比对。\n\n模型：" + strings.Join(hub.Names(), "、") + "。"},
		"model list":    {"列出模型，以及已有的在哪里", ""},
		"model remove":  {"移除下载的模型，以及没有下载完的部分", ""},
		"token":         {"创建、列出和撤销 serve --http 的令牌，以及用户通过 --sign-in 给出的授权", ""},
		"token new":     {"为一个用户创建令牌，并保存它的散列", "令牌只显示一次。含其散列的一行会加到文件中，没有文件时会建立；以此文件启动的服务器立即接受\n这个令牌。"},
		"token list":    {"列出谁有令牌，以及他们让哪些程序进入", "ID 是令牌那一行中散列的开头，不透露令牌本身。用户通过 serve --sign-in 让哪些程序进入，列在\n令牌之后；没有 --tokens 时只列出它们。"},
		"token revoke":  {"不再让用户进入，或撤销用户的一个令牌，或他们授权的一个程序", "用户名指该用户的全部令牌，token list 显示的 ID 只指那一个。文件中的对应行变成注释；以此文件\n启动的服务器立即照办。用户凭令牌给出的授权随之结束。"},
		"healthcheck":   {"说明 HTTP 上的服务器是否应答", "ADDR 是给 serve --http 的地址，没有给时是 " + defaultAddress + "，也可以是服务器的 URL。应答时退出码为 0，\n否则为 1：用于没有别的工具可以询问的容器。"},
		"version":       {"打印版本", ""},
		"completion":    {"打印让 shell 补全命令和选项的脚本", "打印让 shell（bash、zsh、fish 或 powershell）补全命令和选项的脚本；让 shell 在启动时读取它"},
		"man":           {"写出手册页", ""},
		"help":          {"显示一个命令接受什么，或手册的一个主题", "主题：" + strings.Join(manual.Topics, "、") + "。"},
	}
}

// flagsInChinese returns the help of each flag in Chinese by its name. A command precedes the name
// where the flag means something else for that command.
func flagsInChinese() map[string]string {
	return map[string]string{
		"--help":    "显示帮助",
		"--version": "显示版本",

		"--index":             "保存索引的文件 `FILE`，每个文件夹给一次（默认在用户的缓存文件夹中）",
		"--store":             "把索引保存在可由任意多个服务器共享的 PostgreSQL 数据库中，给出 `URL`（默认为 $VADEMECUM_STORE）",
		"--store-read":        "向该数据库的只读副本提问，给出 `URL`；仅在它不落后时（默认为 $VADEMECUM_STORE_READ）",
		"--library":           "文件夹的文档在数据库中的名称 `NAME`，每个文件夹给一次（默认为文件夹的路径）",
		"--embed":             "嵌入模型 `MODEL`：" + strings.NewReplacer(", ", "、", " or ", " 或 ").Replace(embed.Specs),
		"--include-generated": "机器生成的内容也编入索引：锁文件、压缩代码、标签列表、生成的代码、source map（有自己的索引：所有命令都要给出）",
		"--ocr":               "在本机识别扫描页和图片文字的程序 `PROGRAM`：某个 tesseract，auto 表示找到的那个，off 表示不识别",
		"--ocr-lang":          "这些文字的语言 `LANGUAGES`，用 tesseract 的名称，如 eng+deu（默认为已安装的英文、中文和少数其他语言）",
		"--lang":              "程序所说的语言 `LANGUAGE`：en 或 zh（默认为系统的语言）",
		"--log-level":         "往 stderr 记录的最低级别 `LEVEL`：debug、info、warn 或 error",

		"--json":           "打印 JSON",
		"--path":           "只限此模式 `GLOB` 所指的文档，如 '*.pdf' 或 'cardio/**'",
		"--tags":           "只限带有全部这些标签 `TAGS`（或其下级标签）的文档；可以重复",
		"--after":          "只限日期 `DATE` 及以后的文档，如 2024、2024-11 或 2024-11-05",
		"--before":         "只限日期 `DATE` 及以前的文档",
		"--where":          "只限 front matter 中有 `KEY=VALUE` 的文档，如 status=draft；可以重复",
		"--links-to":       "只限链接到此文档 `DOCUMENT` 的文档，给出路径或名称",
		"--linked-from":    "只限此文档 `DOCUMENT` 链接到的文档",
		"--top-k":          fmt.Sprintf("要几个段落，`N` 从 1 到 %d（默认 %d）", index.MaxTopK, index.DefaultTopK),
		"--also":           "问题的其他说法或语言 `WORDS`；可以重复",
		"--explain":        "说明每个段落为什么排在那里",
		"--rerank":         "由重排模型给最好的段落排序，给出 `URL` 或文件夹：http://host/v1#MODEL、text-embeddings-inference 的 http://host 或 local:FOLDER",
		"--rerank-timeout": "一个问题等重排模型多久 `TIME`；之后保持原来的顺序",
		"--regexp":         "文字是正则表达式（RE2）",
		"--case":           "区分大小写、重音、全角半角和繁简体",
		"--lines":          fmt.Sprintf("打印多少行，`N` 从 1 到 %[1]d（默认 %[1]d）", index.MaxFindLines),
		"--skip":           "略过前 `N` 行",
		"--queries":        "问题的文件 `FILE`：名称、制表符、问题",
		"--qrels":          "评判的文件 `FILE`：名称、制表符、路径、制表符、评分（0 表示不相关）",
		"--why":            "按名称或路径说明某个文件为什么找不到",
		"--no-browser":     "打印链接，不打开浏览器",
		"--dry-run":        "只显示会更改什么",
		"index --dry-run":  "只说明有多少要索引和嵌入，以及费用",
		"--force":          "看上去没有变的文件也重读",
		"index --replace":  "让库改为这个文件夹的内容，即使它的大部分文档会因此消失",
		"--replace":        "撤销该用户已有的令牌；没有给出的权限和组保持原样",
		"--grant":          "让角色 `ROLE` 可以服务：读写行，不更改表",
		"--scope":          "用户可以做什么 `SCOPES`：read、index（可调用 index_docs）、metrics（只能读 /metrics）",
		"--group":          "用户所在的组 `GROUPS`",

		"--name":            "在 AI 程序里叫什么 `NAME`",
		"--all":             "写入本机找到的每个 AI 程序：给出文件夹，不给 AI 程序",
		"--add":             "把文件夹加到条目已有的文件夹中，并保留它的选项",
		"--url":             "让 AI 程序连接此 `URL` 上的服务器，而不是启动一个",
		"--token-variable":  "配合 --url：存放你的服务器令牌的变量名 `NAME`（服务器需要令牌时默认为 " + hosts.ConnectVariable + "）",
		"--ca-file":         "同时信任此文件 `FILE` 中的证书颁发机构，用于不由公共机构签发的证书",
		"install --ca-file": "配合 --url，用于只能通过标准输入输出通信的 AI 程序：同时信任此文件 `FILE` 中的证书颁发机构",
		"--results":         "段落以什么形式返回 `MODE`：auto、text、resource 或 both",
		"--print":           "只打印要粘贴的内容",
		"--tools":           "向谁另外提供 search 和 fetch `MODE`：auto（按名称只给 ChatGPT）或 openai（所有客户端）",
		"--log-queries":     "记录调用时（级别 info，HTTP 服务默认如此）也记录问了什么",

		"--http":                   "在 `ADDR` 通过 HTTP 服务（默认 " + defaultAddress + "；单独的端口是本机的），路径为 /mcp",
		"share --http":             "代理或隧道在本机哪里找到服务器 `ADDR`；单独的端口也可以",
		"--public-url":             "别人访问服务器的 `URL`，如 https://kb.example.com",
		"share --public-url":       "别人访问服务器的 HTTPS `URL`，由你自己的代理或隧道提供",
		"--allowed-host":           "可以用来访问服务器的名称 `NAME`；本机的名称总是可以",
		"--allowed-origin":         "其网页可以使用服务器的来源 `ORIGIN`，如 https://app.example.com",
		"serve --tokens":           "持有此文件 `FILE` 中令牌的人可以进入，文件由 vademecum token new 写入",
		"share --tokens":           "每行一个令牌的文件 `FILE`（默认为程序配置文件夹中的 tokens）",
		"--tokens":                 "每行一个令牌的文件 `FILE`",
		"--sign-in":                "让 claude.ai 等程序自己连接：在那里添加服务器的人在服务器的页面上登录并同意",
		"--auth-issuer":            "持有此 OpenID 身份提供方的访问令牌的人可以进入，给出 `URL`",
		"--auth-audience":          "这样的令牌必须是给谁的 `NAME`（默认为公开的 URL 加 /mcp）",
		"--auth-user-claim":        "这样的令牌中哪一项 `CLAIM` 是用户名",
		"--auth-client-id":         "打开页面的人在该提供方登录，服务器在那里的客户端为 `ID`；不给时粘贴令牌",
		"--auth-client-secret-env": "存放该客户端密钥的环境变量 `VARIABLE`，如果有密钥",
		"--auth-scope":             "该客户端除 openid 外申请什么 `SCOPE`（默认 read）",
		"--tls-cert":               "HTTPS 证书的文件 `FILE`；更改后会重新读取",
		"--tls-key":                "证书密钥的文件 `FILE`",
		"--allow":                  "谁能看一个文件夹，其他人不能：`NAMES=FOLDER`，如 alice,group:cardio=notes",
		"--allow-file":             "同样的内容写在文件 `FILE` 的各行中，更改后会重新读取；这时没有写到的文件夹谁也看不到，* 表示所有用户",
		"--insecure-no-auth":       "为其他机器服务而不问对方是谁",
		"--sse":                    "在 /sse 和 /mcp 使用旧的 HTTP+SSE `WHEN`：on、off 或 auto（仅在本机）",
		"--trust-proxy":            "相信 X-Forwarded 请求头：只能在会设置它们的代理后面使用",
		"--rate-limit":             "一个用户或地址每秒的请求数 `N`（同时最多四倍）",
		"--max-sessions":           "可以打开多少个会话 `N`",
		"--max-user-sessions":      "其中一个用户可以有多少个 `N`（默认十分之一）",
		"--tunnel":                 "为得到 HTTPS 地址而启动的程序 `PROGRAM`：" + tunnelNames(),
	}
}

// commandKey returns the key of a command in these tables: its path without the name of the
// program.
func commandKey(c *cobra.Command) string {
	_, key, _ := strings.Cut(c.CommandPath(), " ")
	return key
}

// flagInChinese returns the help of a flag of a command in Chinese.
func flagInChinese(c *cobra.Command, flag string) string {
	all := flagsInChinese()
	if own, ok := all[commandKey(c)+" --"+flag]; ok {
		return own
	}
	return all["--"+flag]
}

// translateHelp translates the help of a command to Chinese. It changes the command itself, as the
// program ends after its help.
func translateHelp(c *cobra.Command) {
	known := commandsInChinese()
	for _, sub := range c.Commands() {
		sub.Short = known[commandKey(sub)].short
	}
	own := known[commandKey(c)]
	if c.Short = own.short; c.Long != "" {
		c.Long = own.short + "\n\n" + own.long
	}
	translate := func(f *pflag.Flag) { f.Usage = flagInChinese(c, f.Name) }
	c.LocalFlags().VisitAll(translate)
	c.InheritedFlags().VisitAll(translate)
	cobra.AddTemplateFunc("defaultsInChinese", func(usages string) string { return defaults.ReplaceAllString(usages, "（默认 $1）") })
	c.Root().SetUsageTemplate(strings.ReplaceAll(usageTemplateIn(message.Chinese), "FlagUsages |", "FlagUsages | defaultsInChinese |"))
}

// defaults matches what pflag writes behind the usage of a flag.
var defaults = regexp.MustCompile(`(?m) \(default (.*)\)$`)
