package hosts

import (
	"path/filepath"

	"vademecum/internal/base/message"
)

// KnownHosts are the hosts that are supported. Paths, keys and forms are from their documentation
// and sources. Claude Code, Codex, Gemini CLI, opencode, Qwen Code, Copilot CLI, Kilo, pi,
// Continue, Crush and the command-line version of Cline were run, and read what was installed. The
// comment after a client's name says how it is known what its model gets: "run" means that the
// named version was run with a scripted model whose input was inspected.
//
// Of the hosts' own commands only that of Claude Code is used, as Claude Code writes its file all
// the time while it runs. Those of Gemini CLI and Qwen Code rewrite the whole file; if the file has
// a trailing comma, that of Qwen Code moves it aside and begins with an empty one. That of Codex
// drops comments after table headers.
var KnownHosts = []Host{
	{
		ID: "claude-desktop", Title: "Claude Desktop",
		client:         ClientProfile{NamePrefix: "claude-ai", reads: true}, // issues: an embedded text reaches the model
		RewritesConfig: true,
		files:          claudeDesktopFile, format: jsonFormat{}, key: "mcpServers", local: commandAndArgs,
	},
	{
		ID: "claude-code", Title: "Claude Code", commands: []string{"claude"}, inheritsShell: true,
		client:             ClientProfile{NamePrefix: "claude-code", reads: true}, // run, 2.1.197: text, then the passage's text under its URI
		ReloadInstructions: message.New("start a new session of Claude Code, or type /mcp in a running one"),
		files:              fileInFolderOf("CLAUDE_CONFIG_DIR", "", ".claude.json"), format: jsonFormat{}, key: "mcpServers",
		local: withType("stdio", commandAndArgs), remote: urlForm("url", entryField{"type", "http"}), own: claudeCodeCommands,
		token: bearerForm("${NAME}", fromEnvironment),
	},
	{
		ID: "cursor", Title: "Cursor", commands: []string{"cursor"},
		client: ClientProfile{NamePrefix: "cursor"}, // issues: not shown by several versions
		files:  homeFile(".cursor/mcp.json"), format: jsonFormat{}, key: "mcpServers",
		local: commandAndArgs, remote: urlForm("url"), link: base64Link("cursor://anysphere.cursor-deeplink/mcp/install?"),
		webLink: base64Link("https://cursor.com/en/install-mcp?"),
		token:   bearerForm("${env:NAME}", fromEnvironment),
	},
	{
		ID: "vscode", Title: "VS Code", aliases: []string{"code", "visual-studio-code"}, commands: []string{"code"},
		client:             ClientProfile{NamePrefix: "visual studio code"}, // issues: dropped, or turned into a pointer to the file
		ReloadInstructions: message.New("start it in VS Code: MCP: List Servers in the command palette"),
		files:              applicationDataFile("Code/User/mcp.json"), format: jsonFormat{}, key: "servers",
		local: withType("stdio", commandAndArgs), remote: urlForm("url", entryField{"type", "http"}), link: vsCodeLink, webLink: vscodeWebLink,
		token: ofVSCode,
	},
	{
		ID: "windsurf", Title: "Windsurf", commands: []string{"windsurf"},
		files: homeFile(".codeium/windsurf/mcp_config.json"), format: jsonFormat{}, key: "mcpServers",
		local: commandAndArgs, remote: urlForm("serverUrl"),
		token: bearerForm("${env:NAME}", fromEnvironment),
	},
	{
		ID: "zed", Title: "Zed", commands: []string{"zed"}, ReloadInstructions: message.New("ask Zed, which sees the change at once"),
		client: ClientProfile{NamePrefix: "zed"}, // source: embedded resources are left out
		files:  fileOnWindows("Zed/settings.json", configFile("zed/settings.json")), format: jsonFormat{}, key: "context_servers",
		local:  func(s Server) configEntry { return append(configEntry{{"source", "custom"}}, commandAndArgs(s)...) },
		remote: urlForm("url"),
		token:  inEntry,
	},
	{
		ID: "gemini", Title: "Gemini CLI", commands: []string{"gemini"},
		client:             ClientProfile{NamePrefix: "gemini-cli", reads: true}, // run, 0.61.0: text, then the passage's text without its URI
		ReloadInstructions: message.New("start a new session of Gemini CLI in a folder that it trusts"),
		files:              fileInFolderOf("GEMINI_CLI_HOME", "", ".gemini/settings.json"), format: jsonFormat{}, key: "mcpServers",
		local: commandAndArgs, remote: urlForm("httpUrl"), variables: keyReferences,
		token: bearerForm("${NAME}", fromEnvironment),
	},
	{
		ID: "codex", Title: "Codex", commands: []string{"codex"},
		client:             ClientProfile{NamePrefix: "codex"}, // run, 0.169.0: an embedded resource arrives as a string of JSON, _meta included
		ReloadInstructions: newSession("Codex"),
		files:              fileInFolderOf("CODEX_HOME", ".codex", "config.toml"), format: tomlFormat{}, key: "mcp_servers",
		local: commandAndArgs, remote: urlForm("url"),
		variables: func(names []string) configEntry { return configEntry{{"env_vars", names}} },
		token:     ofCodex,
	},
	{
		ID: "opencode", Title: "opencode", commands: []string{"opencode"}, inheritsShell: true,
		client:             ClientProfile{NamePrefix: "opencode", reads: true}, // run, 1.18.33: text, then the passage's text without its URI
		ReloadInstructions: newSession("opencode"),
		files:              configFile("opencode/opencode.json", "opencode/opencode.jsonc"), format: jsonFormat{}, key: "mcp",
		local: openCodeEntry, remote: openCodeRemoteEntry,
		token: bearerForm("{env:NAME}", fromEnvironment),
	},
	{
		ID: "qwen", Title: "Qwen Code", commands: []string{"qwen"}, inheritsShell: true,
		client:             ClientProfile{NamePrefix: "qwen-cli", reads: true}, // run, 0.15.10: text, then the passage's text without its URI
		ReloadInstructions: newSession("Qwen Code"),
		files:              fileInFolderOf("QWEN_HOME", ".qwen", "settings.json"), format: jsonFormat{}, key: "mcpServers",
		local: commandAndArgs, remote: urlForm("httpUrl"),
		token: bearerForm("${NAME}", fromEnvironment),
	},
	{
		ID: "copilot-cli", Title: "Copilot CLI", commands: []string{"copilot"},
		client:             ClientProfile{NamePrefix: "copilot-cli", limit: limit{bytes: 20_000}}, // run, 1.0.102: both, with nothing between blocks; 500 characters if over 20,480 bytes
		ReloadInstructions: newSession("Copilot CLI"),
		files:              fileInFolderOf("COPILOT_HOME", ".copilot", "mcp-config.json"), format: jsonFormat{}, key: "mcpServers",
		local: func(s Server) configEntry {
			return append(append(configEntry{{"type", "local"}}, commandAndArgs(s)...), entryField{"tools", []string{"*"}})
		},
		remote: urlForm("url", entryField{"type", "http"}, entryField{"tools", []string{"*"}}),
		token:  inEntry,
	},
	{
		ID: "kilo", Title: "Kilo", commands: []string{"kilo", "kilocode"}, inheritsShell: true,
		client:             ClientProfile{NamePrefix: "kilo", reads: true}, // run, 7.7.7: text, then the passage's text without its URI
		ReloadInstructions: newSession("Kilo"),
		files:              configFile("kilo/kilo.json", "kilo/kilo.jsonc"), format: jsonFormat{}, key: "mcp",
		local: openCodeEntry, remote: openCodeRemoteEntry,
		token: bearerForm("{env:NAME}", fromEnvironment),
	},
	{
		ID: "pi", Title: "pi", commands: []string{"pi"}, inheritsShell: true,
		client:             ClientProfile{NamePrefix: "pi-mcp", reads: true}, // run, pi-mcp-adapter 2.36.0: text, then the passage's text under its URI
		ReloadInstructions: newSession("pi"),
		files:              fileInFolderOf("PI_CODING_AGENT_DIR", ".pi/agent", "mcp.json"), format: jsonFormat{}, key: "mcpServers",
		local: commandAndArgs, remote: urlForm("url"),
		token: bearerForm("${NAME}", fromEnvironment),
	},
	{
		// Crush reads crush.json in addition to crushrc, which it prefers.
		ID: "crush", Title: "Crush", commands: []string{"crush"}, inheritsShell: true,
		client:             ClientProfile{NamePrefix: "crush"}, // run, 37f36e9 of August 2026: only a memory address arrives
		ReloadInstructions: newSession("Crush"),
		files:              configFile("crush/crush.json"), format: jsonFormat{}, key: "mcp",
		local: withType("stdio", commandAndArgs), remote: urlForm("url", entryField{"type", "http"}),
		token: bearerForm("${NAME}", fromEnvironment),
	},
	{
		ID: "cline", Title: "Cline in VS Code", ReloadInstructions: message.New("ask Cline, which sees the change at once"),
		client: ClientProfile{NamePrefix: "cline"}, // source: an embedded resource arrives as JSON
		files:  applicationDataFile("Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json"),
		format: jsonFormat{}, key: "mcpServers",
		local: commandAndArgs, remote: urlForm("url", entryField{"type", "streamableHttp"}),
		token: inEntry,
	},
	{
		ID: "cline-cli", Title: "Cline in a terminal", commands: []string{"cline"}, inheritsShell: true,
		client:             ClientProfile{NamePrefix: "@cline/core", limit: limit{characters: 7000}}, // run, 3.0.65: the result arrives as JSON, cut to 8,000 characters
		ReloadInstructions: newSession("Cline"),
		files:              fileInFolderOf("CLINE_DIR", ".cline", "data/settings/cline_mcp_settings.json"), format: jsonFormat{}, key: "mcpServers",
		local: commandAndArgs, remote: urlForm("url", entryField{"type", "streamableHttp"}),
		token: inEntry,
	},
	{
		ID: "lm-studio", Title: "LM Studio", commands: []string{"lms"},
		files: homeFile(".lmstudio/mcp.json"), format: jsonFormat{}, key: "mcpServers",
		local: commandAndArgs, remote: urlForm("url"), link: base64Link("lmstudio://add_mcp?"),
		webLink: base64Link("https://lmstudio.ai/install-mcp?"),
		token:   inEntry,
	},
	{
		ID: "trae", Title: "Trae", commands: []string{"trae"},
		files: applicationDataFile("Trae/User/mcp.json"), format: jsonFormat{}, key: "mcpServers",
		local: commandAndArgs, remote: urlForm("url"), link: traeLink("trae"),
		token: inEntry,
	},
	{
		ID: "trae-cn", Title: "Trae CN", commands: []string{"trae-cn"},
		files: applicationDataFile("Trae CN/User/mcp.json"), format: jsonFormat{}, key: "mcpServers",
		local: commandAndArgs, remote: urlForm("url"), link: traeLink("trae-cn"),
		token: inEntry,
	},
	{
		ID: "qoder", Title: "Qoder", commands: []string{"qoder"},
		files: fileOnWindows("Qoder/SharedClientCache/mcp.json", homeFile(".qoder/mcp.json")), format: jsonFormat{}, key: "mcpServers",
		local: commandAndArgs, remote: urlForm("url"),
		token: inEntry,
	},
	{
		ID: "kimi", Title: "Kimi CLI", commands: []string{"kimi"}, inheritsShell: true,
		ReloadInstructions: newSession("Kimi"),
		files:              homeFile(".kimi/mcp.json"), format: jsonFormat{}, key: "mcpServers",
		local: commandAndArgs, remote: urlForm("url", entryField{"transport", "http"}),
		token: inEntry,
	},
	{
		ID: "kimi-code", Title: "Kimi Code", inheritsShell: true,
		ReloadInstructions: newSession("Kimi Code"),
		files:              homeFile(".kimi-code/mcp.json"), format: jsonFormat{}, key: "mcpServers",
		local: commandAndArgs, remote: urlForm("url", entryField{"transport", "http"}),
		token: inEntry,
	},
	{
		ID: "goose", Title: "Goose", commands: []string{"goose"}, ReloadInstructions: newSession("Goose"),
		files: fileOnWindows("Block/goose/config/config.yaml", configFile("goose/config.yaml")), format: yamlFormat{}, key: "extensions",
		local: func(s Server) configEntry {
			return configEntry{{"name", s.EntryName}, {"type", "stdio"}, {"cmd", s.Program}, {"args", s.Args}, {"enabled", true}, {"timeout", 300}}
		},
		remote: func(url string) configEntry {
			return configEntry{{"name", ""}, {"type", "streamable_http"}, {"uri", url}, {"enabled", true}, {"timeout", 300}}
		},
		token: inEntry,
	},
	{
		ID: "continue", Title: "Continue", commands: []string{"cn"},
		client: ClientProfile{NamePrefix: "continue-cli"}, // run, 1.5.47: an embedded resource arrives as JSON
		files:  homeFile(".continue/config.yaml"), format: yamlFormat{list: true}, key: "mcpServers", guard: olderContinueFile,
		blank: "name: Local Config\nversion: 1.0.0\nschema: v1\n",
		local: func(s Server) configEntry {
			return append(configEntry{{"name", s.EntryName}, {"type", "stdio"}}, commandAndArgs(s)...)
		},
		remote: func(url string) configEntry {
			return configEntry{{"name", ""}, {"type", "streamable-http"}, {"url", url}}
		},
		token: ofContinue,
	},
	{
		ID: "cherry-studio", Title: "Cherry Studio", link: cherryLink,
		local: func(s Server) configEntry {
			return append(configEntry{{"name", s.EntryName}, {"type", "stdio"}, {"isActive", true}}, commandAndArgs(s)...)
		},
		remote: func(url string) configEntry {
			return configEntry{{"name", ""}, {"type", "streamableHttp"}, {"isActive", true}, {"baseUrl", url}}
		},
		token: inEntry,
	},
}

// openCodeEntry returns an entry in the form of opencode and its forks.
func openCodeEntry(s Server) configEntry {
	return configEntry{{"type", "local"}, {"command", append([]string{s.Program}, s.Args...)}, {"enabled", true}}
}

func openCodeRemoteEntry(url string) configEntry {
	return configEntry{{"type", "remote"}, {"url", url}, {"enabled", true}}
}

// keyReferences returns references to environment variables for an entry of a host that does not
// pass its environment on but expands $NAME.
func keyReferences(names []string) configEntry {
	var env configEntry
	for _, name := range names {
		if IsAPIKeyVariable(name) {
			env = append(env, entryField{name, "$" + name})
		}
	}
	if len(env) == 0 {
		return nil
	}
	return configEntry{{"env", env}}
}

func claudeCodeCommands(s Server) (add, remove []string) {
	remove = []string{"claude", "mcp", "remove", "--scope", "user", s.EntryName}
	if s.URL != "" {
		add = []string{"claude", "mcp", "add", "--scope", "user", "--transport", "http", s.EntryName, s.URL}
		if s.TokenVariable != "" {
			add = append(add, "--header", "Authorization: Bearer ${"+s.TokenVariable+"}")
		}
		return add, remove
	}
	return append([]string{"claude", "mcp", "add", "--scope", "user", s.EntryName, "--", s.Program}, s.Args...), remove
}

// olderContinueFile returns why no new file of Continue may be created: it would hide the settings
// in a file of the older format; "" if there is none.
func olderContinueFile(m Machine) message.Message {
	older := filepath.Join(m.HomeDir, ".continue", "config.json")
	if exists(filepath.Join(m.HomeDir, ".continue", "config.yaml")) || !exists(older) {
		return ""
	}
	return message.New("Continue reads %s, but no longer would if there were a config.yaml", older)
}

// newSession returns the instructions for a host that reads its file when a session starts.
func newSession(title string) message.Message {
	return message.New("start a new session of %s", title)
}
