package index

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"vademecum/index/indextest"
	"vademecum/index/notice"
	"vademecum/index/sync"
)

// TestNarrowedPassages: of a long passage what answers is shown, in whole sentences, items
// and rows, and reads back as it is shown.
func TestNarrowedPassages(t *testing.T) {
	t.Parallel()
	filler := func(n int) string {
		return strings.Repeat("Nothing of that is said here, and all of it is well known. ", n)
	}
	rows := func(from, to int) (rows string) {
		for i := from; i < to; i++ {
			rows += fmt.Sprintf("| Ward %d | the kettle is kept clean there | day %d |\n", i, i)
		}
		return rows
	}
	n := indextest.NewNotesFolder(t, map[string]string{
		"prose.md": "# Prose\n\n" + filler(8) + "The zebrafish sleeps at noon. It does so in shade. " + filler(8) + "\n",
		"list.md":  "# List\n\n" + strings.Repeat("- It is known to all\n", 25) + "- The axolotl eats 1. worms and 2. snails,\n  all of them alive\n" + strings.Repeat("- It is known to all\n", 25),
		"table.md": "# Table\n\n| place | use | since |\n|---|---|---|\n" + rows(1, 12) + "| Ward 12 | the samovar is kept there | day 12 |\n" + rows(13, 17),
		"wide.txt": strings.Repeat("小猫在院子里睡觉，什么也不想。", 40) + "鸭嘴兽下蛋。" + strings.Repeat("小猫在院子里睡觉，什么也不想。", 40),
	})
	ix := open(t, t.TempDir(), indextest.Builtin(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	for question, want := range map[string]struct{ shown, heading string }{
		"when does the zebrafish sleep": {"The zebrafish sleeps at noon. It does so in shade. Nothing", "Prose"},
		"what the axolotl eats":         {"- The axolotl eats 1. worms and 2. snails,\n  all of them alive", "List"},
		"samovar":                       {"| Ward 12 | the samovar is kept there | day 12 |", "Table > place | use | since"},
		"鸭嘴兽":                           {"鸭嘴兽下蛋。", "wide"},
	} {
		a := mustSearch(t, ix, Query{Text: question, TopK: 1})
		p := a.Passages[0]
		if !strings.Contains(p.Text, want.shown) || strings.Join(p.Heading, " > ") != want.heading {
			t.Errorf("%q shows, below %q:\n%s", question, p.Heading, p.Text)
		}
		if n := utf8.RuneCountInString(p.Text); n > 600 {
			t.Errorf("%q shows %d characters:\n%s", question, n, p.Text)
		}
		if end := p.Text[len(p.Text)-1]; end != '.' && end != '|' && !strings.HasSuffix(p.Text, "。") && !strings.HasSuffix(p.Text, "all") {
			t.Errorf("%q ends with …%s", question, p.Text[max(0, len(p.Text)-40):])
		}
		if part, err := ix.Read(t.Context(), ReadQuery{Ref: p.URI}); err != nil || part.Text != p.Text {
			t.Errorf("%s reads %q, error %v; want %q", p.URI, part.Text, err, p.Text)
		}
	}
}

// TestRestOfJoinedPassages: what was joined to a passage and is not shown is reported by its
// place, and copies of it are none of what is shown.
func TestRestOfJoinedPassages(t *testing.T) {
	t.Parallel()
	section := func(heading, about string) string {
		return "## " + heading + "\n\nThe zebrafish " + about + " " + strings.Repeat("All of that is well known to everybody. ", 17) + "\n\n"
	}
	n := indextest.NewNotesFolder(t, map[string]string{
		"fish.md": "# Fish\n\n" + section("First", "eats at noon, at noon.") + section("Between", "sleeps.") + section("Second", "swims."),
		"copy.md": "# Fish\n\n" + section("Second", "swims."),
	})
	ix := open(t, t.TempDir(), indextest.Builtin(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	p := mustSearch(t, ix, Query{Text: "zebrafish eats at noon", OtherWordings: []string{"zebrafish sleeps", "zebrafish swims"}, TopK: 2, Filter: Filter{Path: "fish.md"}}).Passages[0]
	if got := notice.SameTextElsewhere(p.PlacesOfOmittedText, 0).String(); got != "fish.md, lines 11-13" || strings.Contains(p.Text, "swims") {
		t.Fatalf("more of it in %q than\n%s", got, p.Text)
	}
	if got := strings.Join(p.Heading, " > "); got != "Fish" {
		t.Errorf("it stands below %q", got)
	}
	if got := notice.SameTextElsewhere(p.Copies, 0); got != "" {
		t.Errorf("the same text in %q", got)
	}
}

// TestLesserPassages: what answers much less well has no place unless that is asked for,
// and what is called otherwise has one if it says as much.
func TestLesserPassages(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{
		"aspirin.md": "# Aspirin\n\nAspirin thins the blood of grown people.\n",
		"other.md":   "# Other\n\nAspirin thins the blood of grown people and of the old.\n",
		"blood.md":   "# Circulation\n\nThe heart pumps blood.\n",
		"people.md":  "# Visitors\n\nThe ward is open to people.\n",
	})
	ix := open(t, t.TempDir(), indextest.Builtin(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	question := "aspirin thins the blood of grown people"
	paths := func(topK int) (paths []string) {
		for _, p := range mustSearch(t, ix, Query{Text: question, TopK: topK}).Passages {
			paths = append(paths, p.Path)
		}
		return paths
	}
	if got := paths(0); !slices.Equal(got, []string{"aspirin.md", "other.md"}) {
		t.Errorf("found %q", got)
	}
	if got := paths(5); len(got) != 4 {
		t.Errorf("of five that were asked for %q are shown", got)
	}
}

// TestManyPassagesAreShorter: a caller for more gets more, each of them shorter.
func TestManyPassagesAreShorter(t *testing.T) {
	t.Parallel()
	files := make(map[string]string)
	for i := range 30 {
		files[fmt.Sprintf("%02d.md", i)] = fmt.Sprintf("# Note %d\n\n", i) + strings.Repeat(fmt.Sprintf("Warfarin has the number %d here. It is taken daily. ", i), 25)
	}
	ix := open(t, t.TempDir(), indextest.Builtin(t), indextest.NewNotesFolder(t, files).Dir)
	mustSync(t, ix, sync.Scope{})
	read := func(topK int) (count, characters int) {
		all := mustSearch(t, ix, Query{Text: "warfarin", TopK: topK}).Passages
		for _, p := range all {
			characters += utf8.RuneCountInString(p.Text)
		}
		return len(all), characters
	}
	ten, ofTen := read(10)
	thirty, ofThirty := read(30)
	if ten != 10 || thirty != 30 || ofThirty > ofTen*3/2 {
		t.Errorf("%d passages have %d characters, %d have %d", ten, ofTen, thirty, ofThirty)
	}
}

// TestNamedVersionsShareTheirPlaces: so do files that are called as versions of one text
// are, and parts of a work do not.
func TestNamedVersionsShareTheirPlaces(t *testing.T) {
	t.Parallel()
	text := func(topic string, n int) string {
		var all strings.Builder
		all.WriteString("# Garden " + topic + "\n\n")
		for i := range 12 {
			fmt.Fprintf(&all, "The garden bed %s %d, gardener %s, %s.\n\n", topic, i*n, strings.Repeat(topic+fmt.Sprint(i)+" ", 30), topic)
		}
		return all.String()
	}
	found := func(names ...string) int {
		files := map[string]string{"outline.md": "# Outline\n\nThe garden is what the gardener does first.\n"}
		for i, name := range names {
			files[name] = text([]string{"old", "newer", "last"}[i], i+1)
		}
		ix := open(t, t.TempDir(), indextest.Builtin(t), indextest.NewNotesFolder(t, files).Dir)
		mustSync(t, ix, sync.Scope{})
		of := 0
		for _, p := range mustSearch(t, ix, Query{Text: "gardener of the garden bed", TopK: 5}).Passages {
			if p.Path != "outline.md" {
				of++
			}
		}
		return of
	}
	if n := found("plan.md", "plan - final.md", "plan (1).txt"); n > 4 {
		t.Errorf("versions have %d places", n)
	}
	if n := found("plan 1.md", "plan 2.md", "plan 3.md"); n != 5 {
		t.Errorf("parts have %d places", n)
	}
}

// TestVersionsShareTheirPlaces: a plan in three files, of which none is a copy of another
// to the letter, does not take all places.
func TestVersionsShareTheirPlaces(t *testing.T) {
	t.Parallel()
	plan := func(intro int, end string) string {
		var all strings.Builder
		all.WriteString("# Festival\n\n" + strings.Repeat("Some words go before it. ", intro) + "\n\n")
		for i := range 24 {
			fmt.Fprintf(&all, "On day %d of the festival the choir of ward %d sings at %d o'clock, and the kitchen %s makes %d cakes for the garden of house %d.\n\n", i, 3*i, i%12+1, end, 7*i+2, i*i)
		}
		return all.String()
	}
	n := indextest.NewNotesFolder(t, map[string]string{
		"plan.md": plan(1, "staff"), "plan 2.md": plan(12, "crew"), "final.md": plan(20, "people"),
		"outline.md": "# Outline\n\nThe festival has three parts, of which the choir is the second.\n",
	})
	ix := open(t, t.TempDir(), indextest.Builtin(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	var paths []string
	for _, p := range mustSearch(t, ix, Query{Text: "choir of the festival", TopK: 5}).Passages {
		paths = append(paths, p.Path)
	}
	if !slices.Contains(paths, "outline.md") {
		t.Errorf("found %q", paths)
	}
}

// TestShortPassageIsNotAlone: a line that answers best by its words is not all that is shown
// where others answer, too, though much less.
func TestShortPassageIsNotAlone(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"a.md": "Window filter sizes are in another note.\n",
		"b.md": "A window filter goes by weight: 3 from 30 kg, 4 from 50 kg.\n",
	}
	for i := range 6 {
		files[fmt.Sprintf("garden %d.md", i)] = fmt.Sprintf("Filler note %d on gardens, roses and rain.\n", i)
	}
	ix := open(t, t.TempDir(), indextest.Builtin(t), indextest.NewNotesFolder(t, files).Dir)
	mustSync(t, ix, sync.Scope{})
	passages := mustSearch(t, ix, Query{Text: "window filter sizes"}).Passages
	if len(passages) != 2 || passages[0].Path != "a.md" || passages[1].Score >= 0.5 {
		t.Errorf("it shows %d passages, the last with the score %.2f", len(passages), passages[len(passages)-1].Score)
	}
}
