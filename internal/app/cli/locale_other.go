//go:build !windows

package cli

// systemLocale returns "": on this system only the environment sets the locale.
func systemLocale() string { return "" }
