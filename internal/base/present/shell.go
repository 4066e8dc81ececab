package present

import (
	"runtime"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ShellWord returns an argument as it is typed in a shell: quoted if it contains special
// characters.
func ShellWord(arg string) string {
	if arg == "" || strings.ContainsAny(arg, " \"'$&()*;<>?[]`|~!#{}") || strings.ContainsFunc(arg, isHidden) || runtime.GOOS != "windows" && strings.Contains(arg, `\`) {
		return ShellQuote(arg)
	}
	return arg
}

// ShellQuote quotes an argument for a shell: in double quotes if it has no special characters,
// otherwise in single quotes as in POSIX, with invisible characters escaped as in bash and zsh.
// Windows allows neither quotes nor such characters in file names.
func ShellQuote(arg string) string {
	switch {
	case strings.ContainsFunc(arg, isHidden):
		quoted := strconv.Quote(arg)
		return "$'" + strings.NewReplacer(`\"`, `"`, "'", `\'`).Replace(quoted[1:len(quoted)-1]) + "'"
	case runtime.GOOS == "windows":
		return `"` + strings.ReplaceAll(arg, `"`, `\"`) + `"`
	case strings.ContainsAny(arg, "\"$`\\!"):
		return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
	}
	return `"` + arg + `"`
}

func isHidden(r rune) bool { return !unicode.IsGraphic(r) || r == utf8.RuneError }
