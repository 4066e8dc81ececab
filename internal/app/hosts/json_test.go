package hosts

import "testing"

// TestLastComment checks that a comment on the last line needs no line feed.
func TestLastComment(t *testing.T) {
	for _, text := range []string{"{} // end", "{}\n// end\n"} {
		if _, err := parseJSON([]byte(text)); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := parseJSON([]byte("{} /* end")); err == nil {
		t.Error("a comment that does not end is accepted")
	}
}
