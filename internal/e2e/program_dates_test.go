package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMailDate checks that the date of a mail is the day on which it was sent, regardless of the
// time of its file.
func TestMailDate(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"sent.eml":             "From: Ann <ann@example.org>\r\nSubject: Spacer\r\nDate: Mon, 16 Nov 2015 23:30:00 -0800\r\n\r\nThe spacer helps.\r\n",
		"note.md":              "---\ndate: 2017-03-02\n---\nThe spacer helps.\n",
		"law (2012-12-28).txt": "The spacer act helps.\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for period, want := range map[string]string{"2015-11-16": "sent.eml", "2017": "note.md", "2012": "law (2012-12-28).txt"} {
		c := vademecum(t, "search", ownIndex(t), "--after", period, "--before", period, dir, "spacer")
		said, err := c.Output()
		if err != nil || !strings.HasPrefix(string(said), "1. "+want) || strings.Contains(string(said), "\n2. ") {
			t.Errorf("of %s is found: %v\n%s", period, err, said)
		}
	}
}
