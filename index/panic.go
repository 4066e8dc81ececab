package index

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"time"
)

// A panic is a fault of this program. What it was at fails, a document, a run, a
// snapshot, and not the process, on which other documents and questions depend.

// panicError is a panic that was caught.
type panicError struct{ value any }

// Error is one line.
func (e panicError) Error() string {
	return "internal error: " + strings.Join(strings.Fields(fmt.Sprint(e.value)), " ")
}

func isPanic(err error) bool { return errors.As(err, new(panicError)) }

// guard calls f and returns a panic in it as an error. doing says in the log
// what f was at; the same fault is told there once.
func (ix *Index) guard(doing string, f func() error) (err error) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		err = panicError{p}
		level := slog.LevelError
		if _, told := ix.panics.LoadOrStore(fmt.Sprint(doing, p), true); told {
			level = slog.LevelDebug
		}
		ix.log.Log(context.Background(), level, "internal error", "doing", doing, "panic", p, "stack", string(debug.Stack()))
	}()
	return f()
}

// unlock ends a change of what is in memory. A panic may have left that half
// changed: then it is torn, and is to be loaded again.
func (st *store) unlock() {
	defer st.mu.Unlock()
	st.written++
	if p := recover(); p != nil {
		st.torn = true
		panic(p)
	}
}

func (st *store) isTorn() bool {
	st.mu.RLock()
	defer st.mu.RUnlock()
	return st.torn
}

// reload makes memory anew from the catalogues when it is torn. Until it is
// through, questions are answered from what there was. The caller holds the
// token of ix.syncing.
func (ix *Index) reload(ctx context.Context) error {
	if !ix.store.isTorn() {
		return nil
	}
	ix.reloaded.Store(time.Now().UnixNano())
	ix.log.Warn("the index is loaded again after an internal error")
	err := ix.guard("load the index again", func() error { return ix.store.reload(ctx) })
	if err != nil {
		return fmt.Errorf("load the index again: %w", err)
	}
	ix.wantVectors()
	return nil
}

func (st *store) reload(ctx context.Context) error {
	fresh := newStore(len(st.catalogues), st.builtin)
	fresh.refusals = st.refusals
	for folder := range st.catalogues {
		c := st.catalogue(folder)
		if c == nil {
			continue
		}
		c.order.Lock() // until fresh takes the place of what there was: nothing is followed meanwhile
		defer c.order.Unlock()
		if err := fresh.loadInOrder(ctx, folder, c); err != nil {
			return err
		}
	}
	for _, d := range st.documentsIn(noFolder) {
		p, err := prepareText(ctx, textDocument(d.body.Text))
		if err != nil {
			return err
		}
		if err := fresh.put(ctx, noFolder, p.Record, p.body); err != nil {
			return err
		}
	}
	st.mu.Lock()
	defer st.unlock()
	st.memory, st.texts, st.torn = fresh.memory, fresh.texts, false
	return nil
}
