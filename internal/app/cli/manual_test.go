package cli

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vademecum/embed/hub"
	"vademecum/internal/app/manual"
	"vademecum/internal/app/manual/manualtest"
	"vademecum/internal/base/message"
)

// commandsOf returns the visible commands by their full names.
func commandsOf(c *cobra.Command) map[string]*cobra.Command {
	c.InitDefaultHelpFlag()
	if !c.HasParent() {
		c.InitDefaultHelpCmd()
	}
	all := map[string]*cobra.Command{strings.TrimPrefix(c.CommandPath(), "vademecum "): c}
	for _, sub := range c.Commands() {
		if !sub.Hidden {
			for name, s := range commandsOf(sub) {
				all[name] = s
			}
		}
	}
	return all
}

// flagsOf returns a command's own flags, without --help.
func flagsOf(c *cobra.Command) (all []string) {
	c.NonInheritedFlags().VisitAll(func(f *pflag.Flag) {
		if f.Name != "help" && f.Name != "version" {
			all = append(all, "--"+f.Name)
		}
	})
	return all
}

// takes reports whether a command has a flag, of its own or as one of all commands.
func takes(c *cobra.Command, flag string) bool {
	name := strings.TrimPrefix(flag, "--")
	return c.Flags().Lookup(name) != nil || c.InheritedFlags().Lookup(name) != nil
}

// TestManualCommands checks that the manual lists exactly the commands that exist, and their flags.
func TestManualCommands(t *testing.T) {
	root := (&program{release: "1.2.3"}).rootCommand()
	commands := commandsOf(root)
	manualtest.EachLanguage(t, func(t *testing.T, l message.Language) {
		var listed, all []string
		for _, row := range manualtest.TableRows(t, "commands", l, 0) {
			listed = append(listed, strings.TrimPrefix(manualtest.CodeSpans(row[0])[0], "vademecum "))
			for _, code := range manualtest.CodeSpans(row[1]) {
				if strings.Contains(code, " ") {
					listed = append(listed, code)
				}
			}
		}
		for name := range commands {
			if name != "vademecum" {
				all = append(all, name)
			}
		}
		manualtest.RequireSameNames(t, "command", listed, all)

		listed = nil
		for _, row := range manualtest.TableRows(t, "commands", l, 1) {
			listed = append(listed, manualtest.CodeSpans(row[0])...)
		}
		manualtest.RequireSameNames(t, "flag of all commands", listed, flagsOf(root))
	})
}

// TestManualFlags checks that the table of flags in the manual lists exactly the flags of each
// command.
func TestManualFlags(t *testing.T) {
	commands := commandsOf((&program{}).rootCommand())
	manualtest.EachLanguage(t, func(t *testing.T, l message.Language) {
		listed := map[string][]string{}
		for _, row := range manualtest.TableRows(t, "commands", l, 2) {
			for _, name := range manualtest.CodeSpans(row[1]) {
				listed[name] = append(listed[name], manualtest.CodeSpans(row[0])...)
			}
		}
		for name, c := range commands {
			if name == "token list" || name == "token revoke" {
				listed[name] = append(listed[name], "--tokens") // token new has this flag
			}
			if name != "vademecum" {
				manualtest.RequireSameNames(t, "flag of "+name, listed[name], flagsOf(c))
			}
		}
	})
}

// TestManualModels checks that the manual lists exactly the models that can be downloaded.
func TestManualModels(t *testing.T) {
	manualtest.EachLanguage(t, func(t *testing.T, l message.Language) {
		var listed, all []string
		for _, row := range manualtest.TableRows(t, "models", l, 1) {
			listed = append(listed, strings.Join(row, " | "))
		}
		for _, m := range hub.Models {
			all = append(all, strings.Join([]string{"`" + m.Name + "`", m.SizeText(), m.Licence, m.Languages.InLanguage(l)}, " | "))
		}
		manualtest.RequireSameNames(t, "model", listed, all)
	})
}

// others are other programs whose commands are in the manual.
var others = []string{"claude", "gemini", "createdb", "createuser", "dropdb", "pg_dump", "pg_restore", "ollama", "go", "sudo", "export", "setx", "launchctl", "supergateway"}

var flagInCode = regexp.MustCompile(`(^|\s)(--[a-z][a-z-]*)`)

// TestManualCode checks that the program accepts every command in the manual, and has every flag
// that is mentioned alone.
func TestManualCode(t *testing.T) {
	commands := commandsOf((&program{}).rootCommand())
	manualtest.EachLanguage(t, func(t *testing.T, l message.Language) {
		seen := 0
		for _, topic := range manual.Topics {
			for _, code := range manualtest.AllCode(t, topic, l) {
				first, rest, _ := strings.Cut(code, " ")
				if slices.Contains(others, first) || code == "vademecum" { // vademecum alone may be the name of a folder
					continue
				}
				of := commands
				if first == "vademecum" {
					name := commandNamed(commands, rest)
					if name == "" && !slices.Contains([]string{"COMMAND --help", "--help"}, rest) {
						t.Errorf("%s: no such command: %s", topic, code)
						continue
					}
					of = map[string]*cobra.Command{name: commands[name]}
				}
				for _, m := range flagInCode.FindAllStringSubmatch(code, -1) {
					seen++
					if !someTakes(of, m[2]) {
						t.Errorf("%s: there is no %s: %s", topic, m[2], code)
					}
				}
			}
		}
		if seen < 100 {
			t.Errorf("only %d flags were seen", seen)
		}
	})
}

func someTakes(commands map[string]*cobra.Command, flag string) bool {
	for _, c := range commands {
		if c == nil || takes(c, flag) {
			return true
		}
	}
	return false
}

// commandNamed returns the longest name of a command with which a line begins.
func commandNamed(commands map[string]*cobra.Command, line string) (longest string) {
	for name := range commands {
		if (line == name || strings.HasPrefix(line, name+" ")) && len(name) > len(longest) {
			longest = name
		}
	}
	return longest
}

// TestManualExitCodes checks that the manual lists the exit codes, including those of signals that
// end a command.
func TestManualExitCodes(t *testing.T) {
	source, err := os.ReadFile("cli.go")
	if err != nil {
		t.Fatal(err)
	}
	all := []string{"0", strconv.Itoa(exitSignal + int(syscall.SIGINT)), strconv.Itoa(exitSignal + int(syscall.SIGTERM))}
	for _, m := range regexp.MustCompile(`(?m)^\texit[A-Z]\w* += (\d+)`).FindAllStringSubmatch(string(source), -1) {
		if m[1] != strconv.Itoa(exitSignal) {
			all = append(all, m[1])
		}
	}
	if !slices.Contains(all, strconv.Itoa(exitFailed)) || !slices.Contains(all, strconv.Itoa(exitUsage)) {
		t.Fatalf("the exit codes %v were found", all)
	}
	manualtest.EachLanguage(t, func(t *testing.T, l message.Language) {
		var listed []string
		for _, row := range manualtest.TableRows(t, "commands", l, 3) {
			listed = append(listed, row[0])
		}
		manualtest.RequireSameNames(t, "exit code", listed, all)
	})
}

// TestHelp checks the topics of the manual, in the language of the locale or another.
func TestHelp(t *testing.T) {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		t.Setenv(name, "")
	}
	for _, c := range []struct{ lcAll, lang, flag, want string }{
		{"", "en_GB.UTF-8", "", "AI programs (hosts)"},
		{"", "zh_CN.UTF-8", "", "接入 AI 程序"},
		{"zh_TW", "en_GB", "", "接入 AI 程序"},
		{"C", "zh_CN", "", "AI programs (hosts)"},
		{"", "tlh_QO", "", "AI programs (hosts)"},
		{"", "zh_CN", "en", "AI programs (hosts)"},
		{"", "en_GB", "zh-CN", "接入 AI 程序"},
	} {
		t.Setenv("LC_ALL", c.lcAll)
		t.Setenv("LANG", c.lang)
		var p program
		if c.flag != "" {
			if err := (languageFlag{&p.chosenLanguage}).Set(c.flag); err != nil {
				t.Error(err)
			}
		}
		if got := manual.Title("hosts", p.language()); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
	var p program
	if err := (languageFlag{&p.chosenLanguage}).Set("fr"); err == nil || p.chosenLanguage != "" {
		t.Error("French is taken")
	}
}
