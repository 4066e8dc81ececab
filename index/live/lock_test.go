package live_test

import (
	"context"
	"errors"
	"testing"

	"vademecum/index/indextest"
	"vademecum/index/live"
	"vademecum/index/memindex"
)

// TestReadInTurns: who reads for long lets others write, and begins again without letting
// anyone in when one did.
func TestReadInTurns(t *testing.T) {
	st := memindex.New(0, indextest.NewCountingModel(t))
	var wrote chan struct{}
	begin := func() { // it writes as soon as it is let in
		wrote = make(chan struct{})
		began := make(chan struct{})
		go func() {
			defer close(wrote)
			close(began)
			_ = st.Update(func(*live.Documents) error { return nil })
		}()
		<-began
	}
	runs, before := 0, st.ChangeNumber()
	err := st.ReadLockedWithPauses(t.Context(), func(_ *live.Documents, pause func() error) error {
		if runs++; runs == 1 {
			begin()
		}
		for {
			if err := pause(); err != nil || runs == 2 {
				return err
			}
		}
	})
	<-wrote
	if err != nil || runs != 2 || st.ChangeNumber() != before+1 {
		t.Errorf("it ran %d times and ended with %v, written %d times", runs, err, st.ChangeNumber()-before)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err = st.ReadLockedWithPauses(ctx, func(_ *live.Documents, pause func() error) error { return pause() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("given up it ends with %v", err)
	}
}

// TestTorn: a panic in a change is reported until all is loaded again, and lets others in.
func TestTorn(t *testing.T) {
	st := memindex.New(0, indextest.NewCountingModel(t))
	func() {
		defer func() { _ = recover() }()
		_ = st.Update(func(*live.Documents) error { panic("half-way") })
	}()
	if !st.NeedsReload() {
		t.Error("it is not torn")
	}
	indextest.Must(t, st.Reload(t.Context(), nil))
	if st.NeedsReload() {
		t.Error("loaded again it is torn")
	}
}
