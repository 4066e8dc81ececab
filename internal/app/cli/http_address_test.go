package cli

import (
	"os"
	"slices"
	"testing"
)

// TestTakeAddress checks that the address may be a separate argument after --http, and that a port
// alone is one of this machine.
func TestTakeAddress(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("2024", 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		flag    string
		args    []string
		after   string // the argument after the flag
		address string
		folders []string
	}{
		{defaultAddress, []string{"notes"}, "", defaultAddress, []string{"notes"}},
		{defaultAddress, []string{"8911", "notes"}, "", "127.0.0.1:8911", []string{"notes"}},
		{defaultAddress, []string{"8911"}, "", defaultAddress, []string{"8911"}},
		{defaultAddress, []string{"2024", "8911"}, "", defaultAddress, []string{"2024", "8911"}},
		{defaultAddress, []string{"./2024", "notes"}, "", defaultAddress, []string{"./2024", "notes"}},
		{defaultAddress, []string{"0.0.0.0:1", "notes"}, "", "0.0.0.0:1", []string{"notes"}},
		{defaultAddress, []string{"99999", "notes"}, "", defaultAddress, []string{"99999", "notes"}},
		{defaultAddress, []string{"notes", "8911"}, "8911", "127.0.0.1:8911", []string{"notes"}},
		{defaultAddress, []string{"notes", "0.0.0.0:1", "more"}, "0.0.0.0:1", "0.0.0.0:1", []string{"notes", "more"}},
		{defaultAddress, []string{"notes", "2024"}, "2024", defaultAddress, []string{"notes", "2024"}},
		{defaultAddress, []string{"0.0.0.0:1", "notes"}, "--store", "0.0.0.0:1", []string{"notes"}},
		{defaultAddress, []string{`C:\notes`, "more"}, `C:\notes`, defaultAddress, []string{`C:\notes`, "more"}},
		{defaultAddress, []string{"0.0.0.0:1"}, "0.0.0.0:1", defaultAddress, []string{"0.0.0.0:1"}},
		{defaultAddress, []string{"80x"}, "80x", "80x", []string{}},
		{defaultAddress, []string{"80x", "notes"}, "80x", "80x", []string{"notes"}},
		{defaultAddress, []string{"localhost", "notes"}, "localhost", "localhost", []string{"notes"}},
		{defaultAddress, []string{"localhost:8o80", "notes"}, "localhost:8o80", "localhost:8o80", []string{"notes"}},
		{defaultAddress, []string{"99999", "notes"}, "99999", "99999", []string{"notes"}},
		{defaultAddress, []string{"2024"}, "2024", defaultAddress, []string{"2024"}},
		{defaultAddress, []string{"2023-notes"}, "2023-notes", defaultAddress, []string{"2023-notes"}},
		{defaultAddress, []string{"./80x"}, "./80x", defaultAddress, []string{"./80x"}},
		{"8911", []string{"notes", "2024"}, "", "127.0.0.1:8911", []string{"notes", "2024"}},
	} {
		f := httpFlags{address: c.flag}
		if folders := f.parseAddressArg(slices.Clone(c.args), 1, c.after); f.address != c.address || !slices.Equal(folders, c.folders) {
			t.Errorf("--http=%s %q is %s with %q, want %s with %q", c.flag, c.args, f.address, folders, c.address, c.folders)
		}
	}
}
