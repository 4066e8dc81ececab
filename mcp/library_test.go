package mcp_test

import (
	"context"
	"io"
	"log/slog"
	"path/filepath"
	"reflect"
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

// TestTextsBesideAreLibrary: so are documents with texts in an index of their own.
func TestTextsBesideAreLibrary(t *testing.T) {
	t.Parallel()
	librarytest.TestLibrary(t, func(t *testing.T, folder string) mcp.Library {
		ix := openIndex(t, folder)
		texts := ix.NewForTexts()
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
	ix, err := index.New(index.Options{Folders: []string{folder}, Files: []string{filepath.Join(t.TempDir(), "x.db")}, Embedder: e, Logger: log})
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

// TestPlainValues: nothing crosses the contract that could not be sent to
// another process, but channels.
func TestPlainValues(t *testing.T) {
	t.Parallel()
	for _, of := range []reflect.Type{
		reflect.TypeFor[index.Query](), reflect.TypeFor[index.FindQuery](), reflect.TypeFor[index.QuoteQuery](), reflect.TypeFor[index.ReadQuery](), reflect.TypeFor[index.PageImageQuery](),
		reflect.TypeFor[index.Answer](), reflect.TypeFor[index.Findings](), reflect.TypeFor[index.CheckedQuotes](), reflect.TypeFor[index.DocumentPart](), reflect.TypeFor[index.PageImage](),
	} {
		checkPlain(t, "Ask", of)
	}
	library := reflect.TypeFor[mcp.Library]()
	for m := range library.Methods() {
		if m.Name == "Ask" { // takes and returns those above
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
