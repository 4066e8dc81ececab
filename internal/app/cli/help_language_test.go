package cli

import (
	"strings"
	"testing"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vademecum/internal/base/message"
)

// TestHelpInChinese checks that the help of each command and flag has a Chinese translation, with
// the same name for the value of the flag.
func TestHelpInChinese(t *testing.T) {
	p := &program{release: "1"}
	root := p.rootCommand()
	isChinese := func(text string) bool {
		return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) })
	}
	var check func(c *cobra.Command)
	check = func(c *cobra.Command) {
		texts := []string{c.Short, c.Long}
		for _, group := range c.Groups() {
			texts = append(texts, group.Title)
		}
		for _, text := range texts {
			if text != "" && !isChinese(helpIn(message.Chinese, text)) {
				t.Errorf("%s: %q", c.CommandPath(), text)
			}
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Name == "help" || f.Name == "version" { // flags that cobra adds
				return
			}
			chinese := *f
			chinese.Usage = helpIn(message.Chinese, f.Usage)
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
}
