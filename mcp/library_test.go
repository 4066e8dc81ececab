package mcp_test

import (
	"context"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"vademecum/embed"
	"vademecum/index"
	"vademecum/mcp"
	"vademecum/mcp/librarytest"
)

func TestIndexIsLibrary(t *testing.T) {
	t.Parallel()
	librarytest.TestLibrary(t, func(t *testing.T, folder string) mcp.Library { return openIndex(t, folder) })
}

// TestTextsBesideAreLibrary checks that documents combined with texts are a valid Library.
func TestTextsBesideAreLibrary(t *testing.T) {
	t.Parallel()
	librarytest.TestLibrary(t, func(t *testing.T, folder string) mcp.Library {
		ix := openIndex(t, folder)
		texts := ix.NewForClientTexts()
		keepRunning(t, texts)
		return mcp.Beside(ix, texts)
	})
}

func openIndex(t *testing.T, folder string) *index.Index {
	t.Helper()
	e, err := embed.New("builtin")
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	ix, err := index.New(index.Options{Folders: []string{folder}, IndexPaths: []string{filepath.Join(t.TempDir(), "x.db")}, Embedder: e, Logger: log})
	if err != nil {
		t.Fatal(err)
	}
	keepRunning(t, ix)
	return ix
}

// keepRunning runs an index until the test ends.
func keepRunning(t *testing.T, ix *index.Index) {
	ctx, stop := context.WithCancel(t.Context())
	ran := make(chan error)
	go func() { ran <- ix.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ran; err != nil {
			t.Error(err)
		}
		if err := ix.Close(); err != nil {
			t.Error(err)
		}
	})
}

// questions has a question of each type, which the texts of a session can answer.
var questions = []index.Question{
	index.Query{Text: "x"}, index.FindQuery{Text: "x"}, index.QuoteQuery{Quotes: []index.Quote{{Text: "x"}}},
	index.ReadQuery{Ref: index.ClientTextURIPrefix + "x"}, index.PageImageQuery{Ref: index.ClientTextURIPrefix + "x"},
}

// TestQuestions checks that questions has all types of questions.
func TestQuestions(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../index/*.go")
	if err != nil {
		t.Fatal(err)
	}
	kinds := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		kinds += strings.Count(string(text), ") ask(ctx context.Context, ix *Index) (Reply, error) {")
	}
	if kinds != len(questions) {
		t.Errorf("of %d kinds of questions, %d are tested", kinds, len(questions))
	}
}

// askedLibrary counts the questions that it is asked.
type askedLibrary struct {
	mcp.Library
	asked int
}

func (l *askedLibrary) Ask(context.Context, index.Question) (index.Reply, error) {
	l.asked++
	return nil, nil
}

// TestTextsAreAsked checks that the texts of a session are asked every question.
func TestTextsAreAsked(t *testing.T) {
	t.Parallel()
	for _, q := range questions {
		texts := new(askedLibrary)
		if _, err := mcp.Beside(new(askedLibrary), texts).Ask(t.Context(), q); err != nil || texts.asked == 0 {
			t.Errorf("the texts are not asked a %T: %v", q, err)
		}
	}
}

// TestPlainValues checks that the methods of Library use only values that could be sent to another
// process, and channels.
func TestPlainValues(t *testing.T) {
	t.Parallel()
	for _, q := range questions {
		checkPlain(t, "Ask", reflect.TypeOf(q))
	}
	for _, reply := range []index.Reply{index.Answer{}, index.Findings{}, index.CheckedQuotes{}, index.DocumentPart{}, index.PageImage{}} {
		checkPlain(t, "Ask", reflect.TypeOf(reply))
	}
	library := reflect.TypeFor[mcp.Library]()
	for m := range library.Methods() {
		if m.Name == "Ask" { // its values are those checked above
			continue
		}
		for i := range m.Type.NumIn() {
			checkPlain(t, m.Name, m.Type.In(i))
		}
		for i := range m.Type.NumOut() {
			checkPlain(t, m.Name, m.Type.Out(i))
		}
	}
}

func checkPlain(t *testing.T, where string, of reflect.Type) {
	t.Helper()
	where += ": " + of.String()
	switch of {
	case reflect.TypeFor[context.Context](), reflect.TypeFor[error](), reflect.TypeFor[time.Time]():
		return
	}
	switch of.Kind() {
	case reflect.Func, reflect.Pointer, reflect.Interface, reflect.UnsafePointer, reflect.Uintptr:
		t.Errorf("%s is no plain value", where)
	case reflect.Array, reflect.Chan, reflect.Slice:
		checkPlain(t, where, of.Elem())
	case reflect.Map:
		checkPlain(t, where, of.Key())
		checkPlain(t, where, of.Elem())
	case reflect.Struct:
		for i := range of.NumField() {
			if f := of.Field(i); f.IsExported() {
				checkPlain(t, where, f.Type)
			} else {
				t.Errorf("%s hides %s", where, f.Name)
			}
		}
	}
}
