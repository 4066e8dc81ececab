package sync

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"vademecum/index/store/catalog"
)

// FuzzRequest decodes rows as anyone may have written them.
func FuzzRequest(f *testing.F) {
	for _, row := range []string{"", "null", "{}", `{"Areas":null}`, `{"Areas":[{"Base":"..","Glob":""}]}`, `{"Areas":[{"Base":"a/../../b"}]}`,
		`{"Areas":[{"Base":"a","Glob":"[a"}],"Force":true}`, `{"Areas":[` + strings.Repeat(`{},`, 3) + `{}]}`, `{"Areas":7}`, "\x00\xff", `{"Areas":[{"Base":"/etc"}]}`} {
		f.Add(row)
	}
	f.Fuzz(func(t *testing.T, row string) {
		r := DecodeRequest(row)
		if r.DecodeErr != nil {
			if len(r.Areas) > 0 || errors.Is(r.DecodeErr, catalog.ErrDamaged) {
				t.Errorf("%q: %+v", row, r)
			}
			return
		}
		for _, a := range requestedAreas(r, 0) {
			if a.Base != "" && !filepath.IsLocal(filepath.FromSlash(a.Base)) {
				t.Errorf("%q leaves the folder: %q", row, a.Base)
			}
		}
	})
}
