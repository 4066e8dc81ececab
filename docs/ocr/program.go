package ocr

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"vademecum/docs/extract/layout"
	"vademecum/internal/external"
	"vademecum/internal/message"
	"vademecum/internal/present"
	"vademecum/internal/script"
)

// Limits of a process of the program. A page takes some 2 s; on a busy machine, at its low
// priority, many times as much.
const (
	pageLimit   = 3 * time.Minute
	answerLimit = time.Minute // for what it says of itself
)

const leastVersion = 4 // the first that reads whole lines, and Chinese well

// program is a tesseract that was found and answers.
type program struct {
	path      string
	languages string // for -l
	turns     bool   // it can tell which way up a page is
}

// open finds the program and asks what it is.
func open(ctx context.Context, o Options) (*program, error) {
	path, err := find(o.Program)
	if err != nil {
		return nil, err
	}
	p := &program{path: path}
	if err := p.checkVersion(ctx); err != nil {
		return nil, err
	}
	installed, err := p.installed(ctx)
	if err != nil {
		return nil, err
	}
	p.turns = slices.Contains(installed, orientation)
	if p.languages, err = choose(o.Languages, installed); err != nil {
		return nil, err
	}
	return p, p.check(ctx)
}

// find returns the path of the program.
func find(name string) (string, error) {
	if name != Auto {
		path, err := exec.LookPath(name)
		if err != nil {
			return "", message.Errorf("there is no program %s to recognise text", "没有可用来识别文字的程序 %s", present.QuoteName(name))
		}
		return path, nil
	}
	if path := external.Find("tesseract"); path != "" {
		return path, nil
	}
	return "", ErrNotFound
}

// versionLine is how the program begins to tell its version, on Windows with a v.
var versionLine = regexp.MustCompile(`(?m)^tesseract v?(\d+)(\.[\w.-]+)?`)

func (p *program) checkVersion(ctx context.Context) error {
	said, err := p.ask(ctx, "--version")
	if err != nil {
		return err
	}
	found := versionLine.FindStringSubmatch(said)
	if found == nil {
		return message.Errorf("%s is not tesseract: it does not tell its version", "%s 不是 tesseract：没有说明版本", present.QuoteName(p.path))
	}
	if major, err := strconv.Atoi(found[1]); err != nil || major < leastVersion {
		return message.Errorf("tesseract %s is too old: version %d or later is needed", "tesseract %s 太旧：需要 %d 或更高的版本", found[1]+found[2], leastVersion)
	}
	return nil
}

// orientation is the language whose data tell which way up a page is.
const orientation = "osd"

// installed lists the languages whose data are installed.
func (p *program) installed(ctx context.Context) ([]string, error) {
	said, err := p.ask(ctx, "--list-langs")
	if err != nil {
		return nil, err
	}
	var all []string
	for i, line := range strings.Split(said, "\n") {
		if name := strings.TrimSpace(line); i > 0 && languageName.MatchString(name) {
			all = append(all, name)
		}
	}
	return all, nil
}

// languageName is what a language is called: by ISO 639-2, or by its writing as in "script/Latin".
var languageName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_/-]*$`)

// preferred are the languages of the people whom the program is made for.
var preferred = []string{"eng", "chi_sim"}

// noLanguages are data that are none: they tell how a page lies, and read formulas and serial numbers.
var noLanguages = []string{orientation, "equ", "snum"}

// choose returns the languages in which text is to be recognised: those wanted, which must be
// installed; else the preferred ones that are, and the others where all together are few: who
// has these chose them, and each takes its time. Of many the first few must do where none is
// preferred.
func choose(wanted string, installed []string) (string, error) {
	const few = 3
	var chosen, others []string
	if wanted != "" {
		chosen = strings.Split(wanted, "+")
		for _, name := range chosen {
			if !slices.Contains(installed, name) {
				return "", message.Errorf("tesseract has not the language %s: installed are %s", "tesseract 没有语言 %s：已安装的是 %s", present.QuoteName(name), strings.Join(installed, ", "))
			}
		}
		return wanted, nil
	}
	for _, name := range preferred {
		if slices.Contains(installed, name) {
			chosen = append(chosen, name)
		}
	}
	for _, name := range installed {
		if !slices.Contains(noLanguages, name) && !slices.Contains(preferred, name) {
			others = append(others, name)
		}
	}
	if len(chosen) == 0 || len(chosen)+len(others) <= few {
		chosen = append(chosen, others[:min(len(others), few)]...)
	}
	if len(chosen) == 0 {
		return "", message.Errorf("tesseract has no language installed", "tesseract 没有安装任何语言")
	}
	return strings.Join(chosen, "+"), nil
}

// check has the program read an empty page, of which any program that works makes a table
// without words.
func (p *program) check(ctx context.Context) error {
	var empty bytes.Buffer
	paper := image.NewGray(image.Rect(0, 0, 100, 100))
	for i := range paper.Pix {
		paper.Pix[i] = 0xFF
	}
	if err := png.Encode(&empty, paper); err != nil {
		return err
	}
	_, err := p.table(ctx, empty.Bytes(), p.languages, answerLimit)
	return err
}

// sureEnough is the confidence in percent from which a page is not read again: few others have
// mistakes that a clearer picture mends.
const sureEnough = 90

// read has the program read a page, and a noisy one of which it is unsure again without the
// noise. What it is surer of counts.
func (p *program) read(ctx context.Context, png []byte) (Page, error) {
	words, err := p.table(ctx, png, p.languages, pageLimit)
	if err != nil {
		return Page{}, err
	}
	turn, _ := layout.OfPNG(png) // of a page that tells none, words have no places
	page := pageOf(words, turn)
	if page.Confidence >= sureEnough {
		return page, nil
	}
	clear, ok := denoised(png)
	if !ok {
		return page, nil
	}
	again, err := p.table(ctx, clear, p.languagesFor(words), pageLimit)
	if errors.Is(err, ErrStarved) {
		return Page{}, err
	}
	if clearer := pageOf(again, turn); clearer.Confidence > page.Confidence {
		return clearer, nil
	}
	return page, nil
}

// languagesFor returns the languages for a page with such words: where most signs are Chinese
// or Japanese, only languages that are written so, whose data have Latin letters, too. With
// others beside them, many characters are taken for strange words.
func (p *program) languagesFor(words []word) string {
	wide, all := 0, 0
	for _, w := range words {
		for _, r := range w.text {
			all++
			if script.IsWide(r) {
				wide++
			}
		}
	}
	eastern := slices.DeleteFunc(strings.Split(p.languages, "+"), func(name string) bool {
		return !strings.HasPrefix(name, "chi_") && !strings.HasPrefix(name, "jpn")
	})
	if 2*wide <= all || len(eastern) == 0 {
		return p.languages
	}
	return strings.Join(eastern, "+")
}

// table returns the words that the program reads on a picture.
func (p *program) table(ctx context.Context, png []byte, languages string, limit time.Duration) ([]word, error) {
	layout := "3" // pages in columns and blocks
	if p.turns {
		layout = "1" // the same, of pages that may be turned
	}
	r, err := p.run(ctx, png, limit, "stdin", "stdout", "-l", languages, "--psm", layout, "--dpi", "300", "-c", "tessedit_create_tsv=1")
	if r.WasStarved(err) {
		return nil, ErrStarved
	}
	if err != nil {
		return nil, err
	}
	return parse(string(r.Output))
}

// ask returns what the program says of itself, on stdout or, as before version 5, on stderr.
func (p *program) ask(ctx context.Context, about string) (string, error) {
	r, err := p.run(ctx, nil, answerLimit, about)
	return string(r.Output) + r.Said, err
}

// run gives the program its input.
func (p *program) run(ctx context.Context, input []byte, limit time.Duration, args ...string) (external.Result, error) {
	return external.Command{Name: "tesseract", Path: p.path, Args: args, Input: input, Limit: limit}.Run(ctx)
}
