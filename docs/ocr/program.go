package ocr

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"vademecum/internal/base/external"
	"vademecum/internal/base/lazyregexp"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// Time limits of a process. A page takes about 2 s; on a busy machine, at low priority, many times
// as long.
const (
	pageLimit   = 3 * time.Minute
	answerLimit = time.Minute // for its version and languages
)

const leastVersion = 4 // the first version that reads whole lines, and Chinese well

// program is a working installation of tesseract.
type program struct {
	path               string
	languages          languages
	detectsOrientation bool // whether it can detect the orientation of a page
}

// open finds the program and determines its version and languages.
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
	p.detectsOrientation = slices.Contains(installed, orientation)
	if p.languages, err = choose(o.Languages, installed); err != nil {
		return nil, err
	}
	return p, p.check(ctx)
}

// find returns the path of the program.
func find(name string) (string, error) {
	if name != AutoProgram {
		path, err := exec.LookPath(name)
		if err != nil {
			return "", message.Errorf("there is no text recognition program %s", present.QuoteName(name))
		}
		return path, nil
	}
	if path := external.FindProgram("tesseract"); path != "" {
		return path, nil
	}
	return "", ErrNotInstalled
}

// versionLine matches the line with the program's version, which begins with a v on Windows.
var versionLine = lazyregexp.New(`(?m)^tesseract v?(\d+)(\.[\w.-]+)?`)

func (p *program) checkVersion(ctx context.Context) error {
	said, err := p.ask(ctx, "--version")
	if err != nil {
		return err
	}
	found := versionLine.FindStringSubmatch(said)
	if found == nil {
		return message.Errorf("%s is not tesseract: it reports no version", present.QuoteName(p.path))
	}
	if major, err := strconv.Atoi(found[1]); err != nil || major < leastVersion {
		return message.Errorf("tesseract %s is too old: version %d or later is needed", found[1]+found[2], leastVersion)
	}
	return nil
}

// orientation is the name of the data for detecting the orientation of a page.
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

// languageName matches the name of a language: an ISO 639-2 code, or a script such as
// "script/Latin".
var languageName = lazyregexp.New(`^[A-Za-z][A-Za-z0-9_/-]*$`)

// check has the program read an empty page, and returns an error if it fails. A working program returns
// a table without words.
func (p *program) check(ctx context.Context) error {
	var empty bytes.Buffer
	paper := image.NewGray(image.Rect(0, 0, 100, 100))
	for i := range paper.Pix {
		paper.Pix[i] = 0xFF
	}
	if err := png.Encode(&empty, paper); err != nil {
		return err
	}
	_, err := p.table(ctx, empty.Bytes(), p.languages.first, answerLimit)
	return err
}

// table returns the words that the program reads on a picture.
func (p *program) table(ctx context.Context, png []byte, languages string, limit time.Duration) ([]word, error) {
	layout := "3" // page with columns and blocks
	if p.detectsOrientation {
		layout = "1" // the same, with detection of orientation
	}
	r, err := p.runOnPicture(ctx, png, limit, "-l", languages, "--psm", layout, "-c", "tessedit_create_tsv=1")
	if err != nil {
		return nil, err
	}
	return parse(string(r.Output))
}

// scriptLine matches the program's output for the script of a page.
var scriptLine = lazyregexp.New(`(?m)^Script: (\w+)`)

// script returns the script of most of a picture, as detected by the program. It returns "" if that
// fails, as on a page with few characters, and if the script makes no difference.
func (p *program) script(ctx context.Context, png []byte) (string, error) {
	if !p.detectsOrientation || !p.languages.haveScripts() {
		return "", nil
	}
	r, err := p.runOnPicture(ctx, png, pageLimit, "-l", orientation, "--psm", "0")
	if IsTransient(err) || ctx.Err() != nil {
		return "", err
	}
	if found := scriptLine.FindStringSubmatch(string(r.Output)); found != nil {
		return found[1], nil
	}
	return "", nil
}

// runOnPicture runs the program on a picture, passed on its standard input.
func (p *program) runOnPicture(ctx context.Context, png []byte, limit time.Duration, how ...string) (external.Result, error) {
	r, err := p.run(ctx, png, limit, append([]string{"stdin", "stdout", "--dpi", "300"}, how...)...)
	if r.HadTooLittleCPU(err) {
		err = ErrTooLittleCPU
	}
	return r, err
}

// ask returns information from the program about itself, which it writes to stdout or, before
// version 5, to stderr.
func (p *program) ask(ctx context.Context, about string) (string, error) {
	r, err := p.run(ctx, nil, answerLimit, about)
	return string(r.Output) + r.Stderr, err
}

// run runs the program on an input, and again if it is killed.
func (p *program) run(ctx context.Context, input []byte, limit time.Duration, args ...string) (external.Result, error) {
	command := external.Command{DisplayName: "tesseract", Path: p.path, Args: args, Input: input, Timeout: limit}
	r, err := command.Run(ctx)
	if errors.Is(err, external.ErrKilled) {
		return command.Run(ctx)
	}
	return r, err
}
