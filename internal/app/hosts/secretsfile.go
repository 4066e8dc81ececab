package hosts

import (
	"os"
	"regexp"

	"vademecum/internal/base/message"
)

// secretsInFile returns the secrets in the host's own file of secrets; nil if the host has no such
// file.
func (h Host) secretsInFile(m Machine) map[string]string {
	if h.token.way != fromSecrets {
		return nil
	}
	text, err := os.ReadFile(homeFile(h.token.keeps)(m)[0])
	if err != nil {
		return map[string]string{} // the file need not exist
	}
	return parseAssignments(string(text))
}

// expandFileSecrets replaces references to secrets in the host's own file, and removes references
// to other secrets.
func (f *expansion) expandFileSecrets(text string) string {
	if f.inFile == nil {
		return text
	}
	pattern := regexp.MustCompile(`\$\{\{\s*secrets\.([\w-]+)\s*\}\}`)
	return pattern.ReplaceAllStringFunc(text, func(whole string) string {
		name := pattern.FindStringSubmatch(whole)[1]
		f.asked = name
		value := f.inFile[name]
		if value == "" {
			f.unset = name
		}
		f.addSecret("key", value)
		return value
	})
}

// UnsetTokenAdvice returns advice on an entry whose environment variable for the token is not set.
func (h Host) UnsetTokenAdvice(m Machine, variable string) message.Message {
	if h.token.way == fromSecrets {
		return h.TokenAdvice(m, Server{TokenVariable: variable})
	}
	return message.New("set it where %s is started (and here, for doctor)", h.Title)
}
