package cli

import (
	"os"
	"runtime"
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

// unknownVariable is an environment variable that is meant for this program, which does not read it.
type unknownVariable struct {
	name string
	near string // the name of the variable that is probably meant, or ""
}

// unknownVariables returns the environment variables that begin with the prefix of this program, or
// with one that resembles it, but that it does not read, sorted. Those of its tests are left out.
func unknownVariables(environment []string) (unknown []unknownVariable) {
	for _, line := range environment {
		name, _, _ := strings.Cut(line, "=")
		own, isOurs := cutVariablePrefix(name)
		if !isOurs || strings.HasPrefix(own, "TEST_") || own == "CHILD" {
			continue
		}
		near := ""
		if nearest := present.NearestName(own, variables); nearest != "" {
			near = variablePrefix + nearest
		}
		if isRead := near == name || runtime.GOOS == "windows" && strings.EqualFold(near, name); !isRead {
			unknown = append(unknown, unknownVariable{present.CleanLine(name), near})
		}
	}
	slices.SortFunc(unknown, func(a, b unknownVariable) int { return strings.Compare(a.name, b.name) })
	return unknown
}

// cutVariablePrefix returns the name of a variable in capitals and without the prefix of this program,
// which may be misspelt.
func cutVariablePrefix(name string) (own string, isOurs bool) {
	prefix, own, isParted := strings.Cut(strings.ToUpper(name), "_")
	if !isParted {
		return "", false
	}
	_, isOurs = present.TypoCount(prefix, strings.TrimSuffix(variablePrefix, "_"))
	return own, isOurs
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
