package hosts

import (
	"os"
	"path/filepath"
	"strings"
)

// homeFile returns a function for Host.files: a file below the home directory, on all systems.
func homeFile(path string) func(Machine) []string {
	return func(m Machine) []string { return []string{filepath.Join(m.HomeDir, filepath.FromSlash(path))} }
}

// fileInFolderOf returns a function for Host.files: a file in the folder that an environment
// variable names, or else in a folder below the home directory.
func fileInFolderOf(variable, folder, file string) func(Machine) []string {
	return func(m Machine) []string {
		at := m.EnvironmentVariable(variable)
		if at == "" {
			at = filepath.Join(m.HomeDir, filepath.FromSlash(folder))
		}
		return []string{filepath.Join(at, filepath.FromSlash(file))}
	}
}

// applicationDataFile returns a function for Host.files: a file in the data folder of desktop
// applications.
func applicationDataFile(path string) func(Machine) []string {
	return func(m Machine) []string {
		return []string{filepath.Join(m.applicationDataFolder(), filepath.FromSlash(path))}
	}
}

func (m Machine) applicationDataFolder() string {
	switch m.GOOS {
	case "darwin":
		return filepath.Join(m.HomeDir, "Library", "Application Support")
	case "windows":
		return m.roamingFolder()
	}
	return m.configFolder()
}

// roamingFolder returns the folder for the settings of applications on Windows, %APPDATA%.
func (m Machine) roamingFolder() string {
	if at := m.EnvironmentVariable("APPDATA"); at != "" {
		return at
	}
	return filepath.Join(m.HomeDir, "AppData", "Roaming")
}

// configFolder returns the folder for the settings of command-line programs; it is the same on
// macOS as on Linux.
func (m Machine) configFolder() string {
	if at := m.EnvironmentVariable("XDG_CONFIG_HOME"); at != "" && m.GOOS != "windows" {
		return at
	}
	return filepath.Join(m.HomeDir, ".config")
}

// claudeDesktopFile returns the configuration files of Claude Desktop. On Windows, the version from
// the store, which is the usual one, reads a file of its own instead of that in %APPDATA%.
func claudeDesktopFile(m Machine) []string {
	const file = "claude_desktop_config.json"
	if m.GOOS == "windows" {
		local := m.EnvironmentVariable("LOCALAPPDATA")
		if local == "" {
			local = filepath.Join(m.HomeDir, "AppData", "Local")
		}
		packages, _ := filepath.Glob(filepath.Join(local, "Packages", "Claude_*")) // the pattern is valid
		var paths []string
		for _, at := range packages {
			paths = append(paths, filepath.Join(at, "LocalCache", "Roaming", "Claude", file))
		}
		if len(paths) > 0 {
			return paths
		}
	}
	return []string{filepath.Join(m.applicationDataFolder(), "Claude", file)}
}

// fileOnWindows returns a function for Host.files: a file below %APPDATA% on Windows, and those of
// elsewhere on other systems.
func fileOnWindows(path string, elsewhere func(Machine) []string) func(Machine) []string {
	return func(m Machine) []string {
		if m.GOOS == "windows" {
			return []string{filepath.Join(m.roamingFolder(), filepath.FromSlash(path))}
		}
		return elsewhere(m)
	}
}

// configFile returns a function for Host.files: files below the folder for settings, all of which
// the host reads.
func configFile(paths ...string) func(Machine) []string {
	return func(m Machine) (files []string) {
		for _, path := range paths {
			files = append(files, filepath.Join(m.configFolder(), filepath.FromSlash(path)))
		}
		return files
	}
}

// IsTemporaryPath reports whether a path is in a folder that the system may clear, such as that of
// go run or npx, so that a program there may disappear.
func IsTemporaryPath(path string) bool {
	inside, err := filepath.Rel(os.TempDir(), path)
	slashed := filepath.ToSlash(path)
	return err == nil && filepath.IsLocal(inside) || strings.Contains(slashed, "/go-build") || strings.Contains(slashed, "/_npx/")
}
