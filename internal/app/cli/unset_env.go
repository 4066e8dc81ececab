package cli

import (
	"os"
	"slices"
	"strings"

	"vademecum/internal/base/present"
)

// isUnsetSetting reports whether a value is that of a setting that the user of a desktop host has
// left empty: the host then passes the placeholder from the manifest unchanged.
func isUnsetSetting(value string) bool {
	return strings.HasPrefix(value, "${user_config.") && strings.HasSuffix(value, "}")
}

// clearUnsetVariables removes environment variables for empty settings, as their placeholders would
// be taken for keys.
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

// variables are the names, without variablePrefix, of the environment variables that the program
// and its packages for hosts and containers read.
var variables = []string{"API_KEY", "RERANK_API_KEY", "TOKEN", "TOKENS", "STORE", "STORE_READ", "FOLDER", "IMAGE"}

const variablePrefix = "VADEMECUM_"

// unknownVariables returns the names of environment variables that begin with the prefix of this
// program but that it does not read, sorted. Those of its tests are left out.
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

// optionalSetting is the value of a flag that a desktop host may leave unset, in which case the
// default stays.
type optionalSetting struct {
	value *string
	given *bool // set to true when a value is given
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
