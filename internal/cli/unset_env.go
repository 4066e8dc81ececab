package cli

import (
	"os"
	"strings"
)

// isUnsetSetting tells a setting that a person has left empty in a desktop host: such a host
// starts the program with the variable itself, as its manifest has it.
func isUnsetSetting(value string) bool {
	return strings.HasPrefix(value, "${user_config.") && strings.HasSuffix(value, "}")
}

// clearUnsetVariables takes what was left empty out of the environment, so that nothing takes
// it for a key.
func clearUnsetVariables() error {
	for _, line := range os.Environ() {
		name, value, _ := strings.Cut(line, "=")
		if !isUnsetSetting(value) {
			continue
		}
		if err := os.Unsetenv(name); err != nil {
			return err
		}
	}
	return nil
}

// optionalSetting is the value of a flag that a desktop host may have left unset: then it
// stays at its default.
type optionalSetting struct {
	value *string
	given *bool // whether it was set
}

func (s optionalSetting) String() string {
	if s.value == nil { // as pflag asks of a zero value
		return ""
	}
	return *s.value
}

func (s optionalSetting) Type() string { return "string" }

func (s optionalSetting) Set(value string) error {
	if !isUnsetSetting(value) {
		*s.value, *s.given = value, true
	}
	return nil
}
