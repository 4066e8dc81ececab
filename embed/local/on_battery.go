package local

import (
	"os"
	"path/filepath"
	"strings"
)

// powerSupplies is where Linux lists batteries (Documentation/ABI/testing/sysfs-class-power).
const powerSupplies = "/sys/class/power_supply"

// onBattery reports whether a battery of the machine itself is being discharged. Where there is
// no such folder, none is known.
func onBattery(dir string) bool {
	all, err := os.ReadDir(dir)
	if err != nil {
		return false
	}
	for _, one := range all {
		value := func(name string) string {
			text, _ := os.ReadFile(filepath.Join(dir, one.Name(), name)) // not all have all
			return strings.TrimSpace(string(text))
		}
		// The scope of the battery of a mouse is Device.
		if value("type") == "Battery" && value("scope") != "Device" && value("status") == "Discharging" {
			return true
		}
	}
	return false
}
