package local

import (
	"os"
	"path/filepath"
	"testing"
)

func TestOnBattery(t *testing.T) {
	battery := map[string]string{"type": "Battery", "status": "Discharging"}
	for name, c := range map[string]struct {
		supplies map[string]map[string]string
		want     bool
	}{
		"none":        {nil, false},
		"plugged in":  {map[string]map[string]string{"AC": {"type": "Mains", "online": "1"}, "BAT0": {"type": "Battery", "status": "Charging"}}, false},
		"unplugged":   {map[string]map[string]string{"AC": {"type": "Mains", "online": "0"}, "BAT0": battery}, true},
		"of a mouse":  {map[string]map[string]string{"hid": {"type": "Battery", "status": "Discharging", "scope": "Device"}}, false},
		"one is full": {map[string]map[string]string{"BAT0": {"type": "Battery", "status": "Full"}, "BAT1": battery}, true},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for supply, values := range c.supplies {
				if err := os.Mkdir(filepath.Join(dir, supply), 0o755); err != nil {
					t.Fatal(err)
				}
				for value, text := range values {
					write(t, dir, filepath.Join(supply, value), text+"\n")
				}
			}
			if got := onBattery(dir); got != c.want {
				t.Errorf("on battery: %t, want %t", got, c.want)
			}
		})
	}
	if onBattery(filepath.Join(t.TempDir(), "none")) {
		t.Error("a machine that tells of no battery is on one")
	}
}
