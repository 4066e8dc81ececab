package cli

import "golang.org/x/sys/windows"

// systemLocale returns the first of the languages that the user has chosen for windows,
// as in zh-CN.
func systemLocale() string {
	names, err := windows.GetUserPreferredUILanguages(windows.MUI_LANGUAGE_NAME)
	if err != nil || len(names) == 0 {
		return ""
	}
	return names[0]
}
