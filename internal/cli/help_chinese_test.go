package cli

import (
	"maps"
	"strings"
	"testing"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestHelpInChinese: each command and each flag is told in Chinese, with the same word for its
// value, and nothing else is.
func TestHelpInChinese(t *testing.T) {
	p := &program{release: "1"}
	root := p.rootCommand()
	commands, flags := commandsInChinese(), flagsInChinese()
	unusedCommands, unusedFlags := maps.Clone(commands), maps.Clone(flags)
	isChinese := func(text string) bool {
		return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) })
	}
	var check func(c *cobra.Command)
	check = func(c *cobra.Command) {
		told := commands[commandKey(c)]
		delete(unusedCommands, commandKey(c))
		if !isChinese(told.short) || (c.Long != "") != isChinese(told.long) {
			t.Errorf("%s: %q and %q", c.CommandPath(), told.short, told.long)
		}
		c.InitDefaultHelpFlag()
		c.InitDefaultVersionFlag()
		c.Flags().VisitAll(func(f *pflag.Flag) {
			for _, key := range []string{commandKey(c) + " --" + f.Name, "--" + f.Name} {
				if _, ok := flags[key]; ok {
					delete(unusedFlags, key)
					break
				}
			}
			chinese := *f
			chinese.Usage = flagInChinese(c, f.Name)
			value, _ := pflag.UnquoteUsage(f)
			if same, _ := pflag.UnquoteUsage(&chinese); !isChinese(chinese.Usage) || same != value || strings.Contains(chinese.Usage, " or ") {
				t.Errorf("%s --%s: %q, with %q in the place of %q", c.CommandPath(), f.Name, chinese.Usage, same, value)
			}
		})
		for _, sub := range c.Commands() {
			check(sub)
		}
	}
	root.InitDefaultHelpCmd()
	check(root)
	root.PersistentFlags().VisitAll(func(f *pflag.Flag) { delete(unusedFlags, "--"+f.Name) })
	if len(unusedCommands)+len(unusedFlags) > 0 {
		t.Errorf("there are no such commands and flags: %v, %v", unusedCommands, unusedFlags)
	}
}
