package doctor

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"

	"vademecum/index/notice"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// mostOfReason is the maximum length, in characters, of a reason quoted from other output.
const mostOfReason = 400

// failureReason returns why a server did not answer, and the hint in the error. hide removes
// secrets; it is applied before the text is escaped or cut, as a part of a secret could remain
// otherwise.
func failureReason(err error, hide func(string) string) (why message.Message, hint string) {
	c := new(processError)
	if !errors.As(err, &c) {
		return notice.ErrorLine(err), ""
	}
	complaint, hint := complaintIn(hide(c.stderr))
	switch why = message.Message(complaint); {
	case why == "" && c.stdout != "":
		why = message.New("%v; it writes to stdout, where messages belong: %s", c.error, firstLine(hide(c.stdout)))
	case why == "" || isErrorAnswer(err):
		why = message.FromError(c.error)
	case errors.Is(err, errSilent):
		why = message.New("%v: %v", c.error, why)
	}
	// hide is applied once more, as a value that was quoted in a log may contain a secret
	shown := func(text string) string { return cutShort(present.CleanLine(hide(text))) }
	return why.MapForeignTexts(shown), shown(hint)
}

// isErrorAnswer reports whether an error is the server's response to initialize.
func isErrorAnswer(err error) bool {
	return !errors.Is(err, errSilent) && !errors.Is(err, errEnded) && !errors.Is(err, errComplains)
}

// complaintIn returns the line on stderr that describes the error of a program, and the hint that
// follows it.
func complaintIn(stderr string) (why, hint string) {
	var last string
	own := false
	for line := range strings.Lines(terminalColours().ReplaceAllString(stderr, "")) {
		line = strings.TrimSpace(line)
		if advice, found := strings.CutPrefix(line, "hint: "); found {
			hint = advice
			continue
		}
		if line == "" {
			continue
		}
		last = line
		if mine := strings.HasPrefix(line, ownWords); mine || !own && isComplaint(line) {
			why, own = line, mine
		}
	}
	if why == "" {
		why = last
	}
	if logged := logMessage(why); logged != "" {
		why = logged
	}
	return strings.TrimPrefix(why, ownWords), hint
}

// terminalColours matches the escape sequences for colours in terminals.
func terminalColours() *regexp.Regexp { return regexp.MustCompile("\x1b\\[[0-9;]*[A-Za-z]") }

// isComplaint reports whether a line seems to describe an error, unlike the stack traces, versions
// and the like that programs print around it.
func isComplaint(line string) bool {
	line = strings.ToLower(line)
	for _, sign := range []string{"error", "fatal", "cannot", "can't", "could not", "not found", "no such", "denied", "refused", "unknown", "invalid", "level=warn"} {
		if strings.Contains(line, sign) {
			return true
		}
	}
	return false
}

// logMessage returns the message of a line of a log, with the attribute that gives the reason; ""
// if the line is not from a log.
func logMessage(line string) string {
	if !strings.Contains(line, " level=") {
		return ""
	}
	said := logAttribute(line, "msg")
	for _, name := range []string{"reason", "error"} {
		if more := logAttribute(line, name); more != "" {
			said += ": " + more
		}
	}
	return said
}

// logAttribute returns the value of an attribute in a line that slog has written.
func logAttribute(line, name string) string {
	_, rest, found := strings.Cut(line, " "+name+"=")
	if !found {
		return ""
	}
	if quoted, err := strconv.QuotedPrefix(rest); err == nil {
		value, _ := strconv.Unquote(quoted) // the regular expression matches only quoted strings
		return value
	}
	value, _, _ := strings.Cut(rest, " ")
	return value
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return strconv.Quote(present.CleanLine(line))
}

func cutShort(text string) string {
	if runes := []rune(text); len(runes) > mostOfReason {
		return string(runes[:mostOfReason]) + "…"
	}
	return text
}

// startError explains why a program could not be started.
func startError(program string, err error) message.Message {
	name := present.QuoteName(program)
	info, _ := os.Stat(program)
	switch of, found := new(fs.PathError), new(exec.Error); {
	case info != nil && info.IsDir():
		return message.New("%s is a folder", name)
	case errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(program, `/\`):
		return message.New("%s is not on the PATH that the host has", name)
	case errors.Is(err, fs.ErrNotExist):
		return message.New("%s is not there", name)
	case errors.As(err, &of):
		err = of.Err
	case errors.As(err, &found):
		err = found.Err
	}
	return message.New("%s cannot be started: %v", name, notice.ErrorLine(err))
}
