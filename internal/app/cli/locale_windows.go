package cli

import "golang.org/x/sys/windows"

// systemLocale returns the user's first preferred display language of Windows, such as zh-CN.
func systemLocale() string {
	names, err := windows.GetUserPreferredUILanguages(windows.MUI_LANGUAGE_NAME)
	if err != nil || len(names) == 0 {
		return ""
	}
	return names[0]
}
