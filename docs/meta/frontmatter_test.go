package meta

import (
	"reflect"
	"runtime"
	"strings"
	"testing"
)

// TestRefusedFrontMatter: what people write and the libraries refuse costs nothing but
// itself.
func TestRefusedFrontMatter(t *testing.T) {
	for matter, want := range map[string][]Field{
		"a: 1\ntitle: Part two: the end\nb: 2":             {{"a", []string{"1"}}, {"title", []string{"Part two: the end"}}, {"b", []string{"2"}}},
		"a:\n\t- x\n\t- y\nb:\tz":                          {{"a", []string{"x", "y"}}, {"b", []string{"z"}}},
		"a: @home\nb: `code`\nc: 50%\nd: %x":               {{"a", []string{"@home"}}, {"b", []string{"`code`"}}, {"c", []string{"50%"}}, {"d", []string{"%x"}}},
		"a: \"say \"yes\" now\"\nb: 'it's'":                {{"a", []string{`say "yes" now`}}, {"b", []string{"it's"}}},
		"a: [[B]] and [[C]]\nb: [x: y: z, 'w']":            {{"a", []string{"[[B]] and [[C]]"}}, {"b", []string{"x: y: z", "w"}}},
		"a: <% f(\"x\") %>: y\nb:\n  - \"<% g(\"y\") %>\"": {{"a", []string{`<% f("x") %>: y`}}, {"b", []string{`<% g("y") %>`}}},
		"a: {{date}}\nb: {{x}} y\nc: z":                    {{"b", []string{"{{x}} y"}}, {"c", []string{"z"}}},
		"a: [never\nclosed\nb: 2":                          {{"a", []string{"[never"}}, {"b", []string{"2"}}},
		"a: 1\na: 2\nA: [3, 1]\nno key\nb: *none":          {{"a", []string{"1", "2", "3", "1"}}, {"b", []string{"*none"}}},
		"a: &x v\nb: *x\nc: &y [v]\nd: *y":                 {{"a", []string{"v"}}, {"b", []string{"v"}}, {"c", []string{"v"}}},
		"a: 1\n\x01: 2\nb: 3":                              {{"a", []string{"1"}}, {"b", []string{"3"}}},
	} {
		if got := ReadData("a.md", "---\n"+matter+"\n---\n", true).Fields; !reflect.DeepEqual(got, want) {
			t.Errorf("%q assigns\n%q, want\n%q", matter, got, want)
		}
	}
	const broken = "+++\na = 1\nb = two\n[t]\nc = \"x\"\nd = \"y\n[u.v]\ne = [1, [2, 'z']]\nf.g = {h = 2024-11-05}\n+++\n"
	want := []Field{{"a", []string{"1"}}, {"t.c", []string{"x"}}, {"u.v.e", []string{"1", "2", "z"}}, {"u.v.f.g.h", []string{"2024-11-05"}}}
	if got := ReadData("a.md", broken, true).Fields; !reflect.DeepEqual(got, want) {
		t.Errorf("%q assigns\n%q, want\n%q", broken, got, want)
	}
}

// TestMemoryOfFrontMatter: front matter that is made to be a burden takes a bounded
// amount of memory, and so of time.
func TestMemoryOfFrontMatter(t *testing.T) {
	const most = 64 << 20
	fill := func(piece string) string { return strings.Repeat(piece, maxFrontMatter*9/10/len(piece)) }
	for _, matter := range []string{
		"a: " + fill("["), "a: " + fill("{a: "), "a: " + strings.Repeat("[", 9000) + strings.Repeat("]", 9000), fill("a: [\n"), fill("a: 'x\n"), fill("a: b: c\n"), "a:\n" + fill("- [x: y\n"),
		"tags: [" + fill("~,") + "]", "tags: [" + fill("[[a]],") + "]", "tags:\n" + fill("- #a\n"), "a: &a [x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n" + fill("d: [*c, *c]\n"), "a: " + fill("? "), "a: 1\n" + fill("%YAML 1.1\n"),
	} {
		for _, text := range []string{"---\n" + matter + "\n---\n", "+++\n" + strings.ReplaceAll(matter, ":", "=") + "\n+++\n"} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			ReadData("a.md", text, true)
			runtime.ReadMemStats(&after)
			if n := after.TotalAlloc - before.TotalAlloc; n > most {
				t.Errorf("%.30q takes %d MB", text, n>>20)
			}
		}
	}
}
