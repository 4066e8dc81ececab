package cli

import (
	"os"
	"slices"
	"strings"

	"vademecum/internal/base/present"
)

// isUnsetSetting reports whether a value is a setting left empty in a desktop host: such a
// host passes the placeholder of the manifest itself.
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

// variables are those that the program reads, and two of its packages for hosts and containers, without
// variablePrefix.
var variables = []string{"API_KEY", "RERANK_API_KEY", "TOKEN", "TOKENS", "STORE", "STORE_READ", "FOLDER", "IMAGE"}

const variablePrefix = "VADEMECUM_"

// unknownVariables lists the variables of an environment that are called as if the program read them, in
// their order; those of its tests are passed over.
func unknownVariables(environment []string) (unknown []string) {
	for _, line := range environment {
		name, _, _ := strings.Cut(line, "=")
		own, isOurs := strings.CutPrefix(strings.ToUpper(name), variablePrefix)
		if isOurs && !slices.Contains(variables, own) && !strings.HasPrefix(own, "TEST_") && own != "CHILD" {
			unknown = append(unknown, present.CleanLine(name))
		}
	}
	slices.Sort(unknown)
	return unknown
}

// optionalSetting is the value of a flag that a desktop host may have left unset: then it
// stays at its default.
type optionalSetting struct {
	value *string
	given *bool // whether it was set
}

func (s optionalSetting) String() string {
	if s.value == nil { // pflag calls String on a zero value
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
