package local

import (
	"os"
	"path/filepath"
	"strings"
)

// powerSupplies is the directory in which Linux lists batteries
// (Documentation/ABI/testing/sysfs-class-power).
const powerSupplies = "/sys/class/power_supply"

// onBattery reports whether a battery of the machine itself is being discharged. If there is no
// such directory, it returns false.
func onBattery(dir string) bool {
	all, err := os.ReadDir(dir)
	if err != nil {
		return false
	}
	for _, one := range all {
		value := func(name string) string {
			// not all have each of these files
			text, _ := os.ReadFile(filepath.Join(dir, one.Name(), name))
			return strings.TrimSpace(string(text))
		}
		// The battery of a mouse has the scope Device.
		if value("type") == "Battery" && value("scope") != "Device" && value("status") == "Discharging" {
			return true
		}
	}
	return false
}
