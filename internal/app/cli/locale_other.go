//go:build !windows

package cli

// systemLocale returns "": here only the environment sets the locale.
func systemLocale() string { return "" }
