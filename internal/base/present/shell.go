package present

import (
	"runtime"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ShellWord is an argument as it is typed into a shell: quoted where it has signs that
// mean something there.
func ShellWord(arg string) string {
	if arg == "" || strings.ContainsAny(arg, " \"'$&()*;<>?[]`|~!#{}") || strings.ContainsFunc(arg, isHidden) || runtime.GOOS != "windows" && strings.Contains(arg, `\`) {
		return ShellQuote(arg)
	}
	return arg
}

// ShellQuote quotes an argument for a shell: between double quotes where nothing in it
// means anything there, else as POSIX has it between single quotes, and what cannot be
// seen as bash and zsh do. Windows allows neither quotes nor that in the names of files.
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
