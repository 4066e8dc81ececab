package e2e

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"
	"unicode"

	"vademecum/docs/extract"
	"vademecum/docs/ignore"
	"vademecum/docs/text"
	"vademecum/internal/base/message"
)

// TestMessagesAreInGoldenFile: each reason, note, state and place of the packages in which they
// arise is in testdata/messages.txt, in English and in Chinese. New or reworded ones get there
// by -update, and are reviewed with the change.
func TestMessagesAreInGoldenFile(t *testing.T) {
	byPackage := make(map[string]map[string]bool)
	add := func(in string, m message.Message) {
		if byPackage[in] == nil {
			byPackage[in] = make(map[string]bool)
		}
		byPackage[in][m.InLanguage(message.English)+"\n"+m.InLanguage(message.Chinese)+"\n"] = true
	}
	eachFormat(t, func(x translation) {
		switch top, _, _ := strings.Cut(x.in, "/"); top {
		case "docs", "index", "embed":
			if x.chinese != "" {
				add(x.in, x.sample())
			}
		}
	})
	for _, place := range places() {
		add("docs/text: places", place)
	}
	for _, kind := range ignore.RuleKinds {
		add("docs/ignore: rules", ignore.Rule{Kind: kind, Pattern: "*.log", File: ".gitignore", Line: 2}.Message())
	}
	var all strings.Builder
	for _, in := range slices.Sorted(maps.Keys(byPackage)) {
		fmt.Fprintf(&all, "== %s\n\n%s\n", in, strings.Join(slices.Sorted(maps.Keys(byPackage[in])), "\n"))
	}
	golden(t, "messages.txt", all.String())
}

// places returns one place and one range for each unit of documents, and the notes on unread
// units.
func places() (all []message.Message) {
	const body = "a\nb\nc\nd\n"
	lines := text.Body{Text: body}
	all = append(all, lines.Location(text.Span{EndByte: 2, StartLine: 1, EndLine: 1}), lines.Location(text.Span{EndByte: 8, StartLine: 1, EndLine: 4}))
	for unit := extract.PartKind(1); unit.Noun() != (extract.Noun{}); unit++ {
		parts := text.Body{Text: body, Parts: []extract.Part{{Kind: unit, Number: 1, Name: "A", StartByte: 0}, {Kind: unit, Number: 2, StartByte: 4}}}
		all = append(all, parts.Location(text.Span{EndByte: 2}), parts.Location(text.Span{EndByte: 8}), parts.Location(text.Span{StartByte: 4, EndByte: 8}),
			unit.Noun().IncompleteNote([]int{2}), unit.Noun().IncompleteNote([]int{2, 3}))
	}
	rows := text.Body{Text: body, Parts: []extract.Part{{Kind: extract.Sheet, Number: 1, FirstRow: 5, StartByte: 0}, {Kind: extract.Sheet, Number: 2, FirstRow: 1, StartByte: 4}}}
	return append(all, rows.Location(text.Span{EndByte: 2}), rows.Location(text.Span{EndByte: 4}), rows.Location(text.Span{EndByte: 8}))
}

// TestChineseHasNoEnglish: the Latin words of a Chinese text are names, and what has to be typed.
func TestChineseHasNoEnglish(t *testing.T) {
	t.Parallel()
	found := 0
	used := make(map[string]bool)
	eachFormat(t, func(x translation) {
		found++
		for _, word := range latinWord.FindAllString(typedText.ReplaceAllString(verbs.ReplaceAllString(x.chinese, " "), " "), -1) {
			if used[word] = true; !slices.Contains(latinNames, word) || !strings.Contains(x.english, word) {
				t.Errorf("%s: %s is not in Chinese: %s", x.at, word, x.chinese)
			}
		}
	})
	if found < 1000 {
		t.Errorf("only %d texts were found", found)
	}
	for _, name := range latinNames {
		if !used[name] {
			t.Errorf("no Chinese text has the name %s", name)
		}
	}
}

var (
	latinWord = regexp.MustCompile(`[A-Za-z]{2,}`)
	// typedText matches what is typed literally: a command of this program or another, a flag, and
	// identifiers with signs between letters or in capitals.
	typedText = regexp.MustCompile(`vademecum(?: [a-z]+)+|(?:sudo|tailscale|ngrok)(?: [-a-z]+)+|--?[a-z][-a-z]*(?: [a-z]+)?|[~\w]*[.:/@_=][.:/@_=\w#?-]+|\b[A-Z_]{2,}\b`)
)

// latinNames are the same in Chinese and English texts: names of programs, formats and
// products, then those of parameters, fields and values.
var latinNames = strings.Fields(`
	Acrobat Adobe Anki AutoCAD Caddy ChatGPT Claude Cline Code Continue Ctrl DjVu Evernote Excel Funnel Gemini Google Hangul ImageMagick Joplin Kindle List
	Markdown Node Office OneNote Ollama OpenDocument OpenOffice Outlook PostgreSQL PowerPoint Publisher RE Safari Servers Tailscale Topaz
	Visio Windows Word WordPerfect Zed dBase heif iCloud iWork libheif macOS ngrok openai pgvector tesseract vademecum winget zip
	Authorization Bearer alice all also args authtoken auto both builtin chmod claude code command config connect createuser dbname debug dimensions
	doctor eng env error extensions front gemini host http https info install iss lines list local made matter model null ollama
	passage path paths plugin project public query quotes resource search serve shell skip sslcert sslkey sslmode sslrootcert state stdin stdio stdout store
	text token type uninstall uri user vacuum vector version warn
`)

// A translation is a format in the sources with its Chinese.
type translation struct {
	at               token.Position
	in               string // the package, by its folder
	english, chinese string
	maker            string // the function that takes it, "" in a table
	isFormat         bool
}

// sample returns the message with distinguishable arguments.
func (x translation) sample() message.Message {
	var arguments []any
	for i, verb := range verbs.FindAllString(strings.ReplaceAll(x.english, "%%", ""), -1) {
		switch {
		case !x.isFormat:
		case strings.HasSuffix(verb, "d"):
			arguments = append(arguments, 10*(i+1))
		case strings.HasSuffix(verb, "f"), strings.HasSuffix(verb, "g"):
			arguments = append(arguments, float64(i+1)/2)
		default:
			arguments = append(arguments, string(rune('A'+i)))
		}
	}
	return message.New(x.english, arguments...)
}

// eachFormat calls use with each format of a message in the sources, and with the texts of tables
// that the catalogue has.
func eachFormat(t *testing.T, use func(x translation)) {
	t.Helper()
	chinese := message.ChineseFormats()
	eachSourceFile(t, func(files *token.FileSet, f *ast.File) {
		if strings.HasSuffix(f.Name.Name, "test") || f.Name.Name == "message" {
			return
		}
		add := func(at token.Pos, english, maker string, isFormat bool) {
			position := files.Position(at)
			in, err := filepath.Rel(repository, filepath.Dir(position.Filename))
			if err != nil {
				t.Fatal(err)
			}
			use(translation{position, filepath.ToSlash(in), english, chinese[english], maker, isFormat})
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if english, ok := formatOf(n); ok {
					if _, isWhole := wholeLiteral(n.Args[0]); isWhole {
						add(n.Pos(), english, makerOf(n), len(n.Args) > 1 && makerOf(n) != "NewIn" || makerOf(n) == "scoreSentence")
					}
				}
			case *ast.CompositeLit:
				for _, e := range n.Elts {
					if english, ok := wholeLiteral(e); ok && chinese[english] != "" && strings.Contains(english, " ") {
						add(e.Pos(), english, "", true)
					}
				}
			}
			return true
		})
	})
}

// makerOf returns the name of the function that is called; "" if a node is not a call.
func makerOf(n ast.Node) string {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return ""
	}
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// wholeLiteral returns the text of an expression that consists of string literals only.
func wholeLiteral(e ast.Expr) (text string, ok bool) {
	if sum, isSum := e.(*ast.BinaryExpr); isSum {
		left, isLeft := wholeLiteral(sum.X)
		right, isRight := wholeLiteral(sum.Y)
		return left + right, isLeft && isRight
	}
	return literal(e)
}

func hasHan(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}

// otherPatterns are regular expressions, by their variables or functions, that match a word of a
// message by chance: they are meant for texts from elsewhere.
var otherPatterns = map[string]string{
	"docs/chunk/running.go pageWords":                      "the heads and feet of pages",
	"docs/extract/mindmap/xmind.go madeUpName":             "the names that XMind gives to sheets",
	"docs/extract/markdown/titles.go madeUpTitles":         "the titles that programs give to documents",
	"docs/kind/kind.go citedYear":                          "the addresses in a bibliography",
	"docs/kind/links.go pointing":                          "documents that point to another",
	"docs/kind/links.go moved":                             "documents that point to another",
	"index/store/sqlite/location.go computes":              "the SQL of a table",
	"internal/app/cli/program_name.go ofThisProgram":       "commands to type, which are the same in all languages",
	"internal/app/cli/help_language.go defaults":           "what pflag writes",
	"internal/app/hosts/secrets.go aSecretFlag":            "flags in the files of hosts",
	"internal/app/web/render/code.go frontLink":            "links in front matter",
	"index/citation.go citations":                          "citations in English, into which those of other languages are translated before",
	"index/operations/read_doc.go citedRows":               "citations that a model gives, which it has read in English",
	"index/ranking/editions.go versionInName":              "names of files",
	"index/lexical/analysis/numbered_name.go numberedName": "questions with a word and a number",
}

// TestNoPatternMatchesMessages checks that no regular expression of the program matches words of a
// message, not even one.
func TestNoPatternMatchesMessages(t *testing.T) {
	t.Parallel()
	var messages []string
	eachFormat(t, func(x translation) { messages = append(messages, x.sample().String()) })
	for _, place := range places() {
		messages = append(messages, place.String())
	}
	patterns, found := 0, make(map[string]bool)
	eachSourceFile(t, func(files *token.FileSet, f *ast.File) {
		variable := ""
		ast.Inspect(f, func(n ast.Node) bool {
			switch declared := n.(type) {
			case *ast.ValueSpec:
				variable = declared.Names[0].Name
			case *ast.FuncDecl:
				variable = declared.Name.Name
			}
			pattern := patternOf(n)
			if pattern == nil {
				return true
			}
			patterns++
			at := files.Position(n.Pos())
			name := strings.TrimPrefix(filepath.ToSlash(at.Filename), repository+"/") + " " + variable
			for _, m := range messages {
				if word := wordFound(pattern, m); word != "" {
					if found[name] = true; otherPatterns[name] == "" {
						t.Errorf("%s (%s): %s finds %q in %q", at, name, pattern, word, m)
					}
					break
				}
			}
			return true
		})
	})
	if patterns < 100 {
		t.Errorf("only %d regular expressions were found", patterns)
	}
	for name := range otherPatterns {
		if !found[name] {
			t.Errorf("%s finds no word of a message", name)
		}
	}
}

// patternOf returns the regular expression that a call compiles or matches; nil if there is none.
func patternOf(n ast.Node) *regexp.Regexp {
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) == 0 {
		return nil
	}
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	if of, ok := f.X.(*ast.Ident); !ok || !isRegexpPackage(of.Name) {
		return nil
	}
	text, ok := literal(call.Args[0])
	if !ok {
		return nil
	}
	pattern, err := regexp.Compile(text)
	if err != nil { // a part of one
		return nil
	}
	return pattern
}

// wordFound returns a word of a pattern in its match, "" for none.
func wordFound(pattern *regexp.Regexp, text string) string {
	for _, found := range pattern.FindAllString(text, -1) {
		for _, word := range literalsOf(pattern) {
			if strings.Contains(strings.ToLower(found), word) {
				return word
			}
		}
	}
	return ""
}

// literalsOf returns the words in a pattern, in lower case.
func literalsOf(pattern *regexp.Regexp) []string {
	tree, err := syntax.Parse(pattern.String(), syntax.Perl)
	if err != nil {
		return nil
	}
	var all []string
	var walk func(*syntax.Regexp)
	walk = func(re *syntax.Regexp) {
		if re.Op == syntax.OpLiteral {
			for _, word := range latinLetters.FindAllString(string(re.Rune), -1) {
				all = append(all, strings.ToLower(word))
			}
		}
		for _, sub := range re.Sub {
			walk(sub)
		}
	}
	walk(tree)
	return all
}

var latinLetters = regexp.MustCompile(`[A-Za-z]{4,}`)
