//go:build !windows

package cli

// systemLocale is "": the environment says it all.
func systemLocale() string { return "" }
