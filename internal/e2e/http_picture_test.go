package e2e

import (
	"bytes"
	"image"
	"image/png"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vademecum/docs/extract/extracttest"
)

// TestPictureRights checks that page images are available only to users who see the folder, and
// only of indexed files.
func TestPictureRights(t *testing.T) {
	t.Parallel()
	dir, _ := httpFolder(t)
	cardio := t.TempDir()
	paper := extracttest.PDF("", extracttest.PDFLines("A valve that murmurs."))
	for _, file := range []string{filepath.Join(cardio, "valve.pdf"), filepath.Join(dir, "other.pdf"), filepath.Join(t.TempDir(), "outside.pdf")} {
		if err := os.WriteFile(file, paper, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var xray bytes.Buffer
	if err := png.Encode(&xray, image.NewGray(image.Rect(0, 0, 60, 40))); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(cardio, "xray.png"), xray.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	tokens := filepath.Join(t.TempDir(), "tokens")
	alice, bob := newToken(t, tokens, "alice"), newToken(t, tokens, "bob")
	s := serveHTTP(t, "--tokens", tokens, "--allow", "alice="+cardio, ownIndex(t), ownIndex(t), dir, cardio)
	v, w := visit(t, s), visit(t, s)
	const begin = "\x89PNG\r\n"
	to := func(ref string) string { return "/picture?ref=" + url.QueryEscape(ref) }
	ofCardio := filepath.ToSlash(filepath.Join(filepath.Base(cardio), "valve.pdf"))
	if page := v.page(to(ofCardio)); strings.Contains(page, begin) || !strings.Contains(page, `name="token"`) {
		t.Errorf("nobody is asked: %.200s", page)
	}
	ofXray := filepath.ToSlash(filepath.Join(filepath.Base(cardio), "xray.png"))
	v.signIn(alice)
	w.signIn(bob)
	await(t, "alice's is indexed", func() bool { return strings.HasPrefix(v.page(to(ofCardio)), "200 OK\n"+begin) })
	await(t, "alice's picture is seen", func() bool { return strings.HasPrefix(v.page(to(ofXray)), "200 OK\n"+begin) })
	await(t, "bob's is indexed", func() bool { return strings.HasPrefix(w.page(to("other.pdf")), "200 OK\n"+begin) })
	await(t, "bob's is read", func() bool { return strings.Contains(w.page("/doc?path=other.pdf"), "murmurs") })
	outside, err := filepath.Glob(filepath.Join(filepath.Dir(filepath.Dir(tokens)), "*", "outside.pdf"))
	if err != nil || len(outside) != 1 {
		t.Fatal(outside, err)
	}
	for _, ref := range []string{ofCardio, ofXray, filepath.Join(cardio, "valve.pdf"), "file://" + filepath.ToSlash(cardio) + "/valve.pdf", "../" + ofCardio, "other.pdf/../../" + ofCardio, outside[0], "other.pdf#page=2", "asthma.md"} {
		if page := w.page(to(ref)); !strings.HasPrefix(page, "404") || strings.Contains(page, begin) || strings.Contains(page, cardio) {
			t.Errorf("bob gets %.200q of %s", page, ref)
		}
	}
}
