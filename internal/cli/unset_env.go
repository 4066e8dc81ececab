package cli

import (
	"os"
	"strings"
)

// isUnset tells a setting that a person has left empty in a desktop host: such a host
// starts the program with the variable itself, as its manifest has it.
func isUnset(value string) bool {
	return strings.HasPrefix(value, "${user_config.") && strings.HasSuffix(value, "}")
}

// forgetUnset takes what was left empty out of the environment, so that nothing takes
// it for a key.
func forgetUnset() error {
	for _, line := range os.Environ() {
		name, value, _ := strings.Cut(line, "=")
		if !isUnset(value) {
			continue
		}
		if err := os.Unsetenv(name); err != nil {
			return err
		}
	}
	return nil
}

// setting is the value of a flag that a desktop host may have left unset: then it
// stays at its default.
type setting struct {
	value *string
	given *bool // whether it was set
}

func (s setting) String() string {
	if s.value == nil { // as pflag asks of a zero value
		return ""
	}
	return *s.value
}

func (s setting) Type() string { return "string" }

func (s setting) Set(value string) error {
	if !isUnset(value) {
		*s.value, *s.given = value, true
	}
	return nil
}
