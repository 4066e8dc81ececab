package upkeep

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"vademecum/index/catalog"
	"vademecum/index/compare"
	"vademecum/index/freshness"
	"vademecum/index/glob"
	"vademecum/index/indexer"
	"vademecum/index/live"
	"vademecum/index/peer"
	"vademecum/index/progress"
	"vademecum/index/recovery"
	"vademecum/index/search"
)

// Who wants something indexed in a folder that another process indexes asks that
// one, through the catalogue.

func requestFor(w wish) peer.Request {
	r := peer.Request{Force: w.force, Check: w.check}
	for _, a := range w.areas {
		glob := ""
		if a.Glob != nil {
			glob = a.Glob.Text
		}
		r.Areas = append(r.Areas, peer.Area{Base: a.Base, Glob: glob})
	}
	return r
}

// requested is the areas of a folder that a request is for.
func requested(r peer.Request, folder int) []compare.Area {
	var areas []compare.Area
	for _, a := range r.Areas {
		areas = append(areas, compare.Area{Folder: folder, Base: a.Base, Glob: glob.Parse(a.Glob)})
	}
	return areas
}

// askEvery is how often a process looks for the answer to its request.
const askEvery = 20 * time.Millisecond

// wish is what is to be brought up to date in a folder.
type wish struct {
	folder int
	areas  []compare.Area
	force  bool
	check  bool        // the library is to be compared with itself, and nothing else
	enough func() bool // what is wanted has been done for another reason; may be nil
}

// request has the indexer of a folder fulfil a wish, or does it when this
// process becomes the indexer meanwhile.
func (k *Keeper) request(ctx context.Context, w wish) (peer.Answer, error) {
	c := k.store.Follower(w.folder)
	number, err := peer.Ask(ctx, c, requestFor(w))
	if err != nil {
		if salvaged, _ := k.recovery.SalvageInTurn(ctx); salvaged {
			return k.askAgain(ctx, w)
		}
		return peer.Answer{}, fmt.Errorf("ask the indexer: %w", err)
	}
	if !k.fresh.IsServing() {
		defer time.AfterFunc(noticeAfter, func() { k.noticeIndexer(ctx, w.folder, c) }).Stop()
	}
	tick := time.NewTicker(askEvery)
	defer tick.Stop()
	for {
		text, err := c.Mailbox().Answered(ctx, number)
		if text == "" && ctx.Err() == nil {
			if mended := k.recovery.Mend(ctx, recovery.Pause); mended != nil {
				return peer.Answer{}, mended
			}
			if k.store.Follower(w.folder) != c { // what was asked is lost
				return k.askAgain(ctx, w)
			}
		}
		switch {
		case text != "":
			return k.received(ctx, w.folder, text)
		case err != nil:
			return peer.Answer{}, fmt.Errorf("ask the indexer: %w", err)
		case k.peers.Leads(w.folder):
			_ = c.Mailbox().Withdraw(ctx, number) // who finds it does the same again
			return k.askAgain(ctx, w)
		case w.enough != nil && w.enough():
			return peer.Answer{}, c.Mailbox().Withdraw(ctx, number)
		}
		if !k.fresh.IsServing() { // else the loop listens
			_, _ = k.peers.HearIndexer(ctx, w.folder, c)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			withdrawing, cancel := context.WithTimeout(context.WithoutCancel(ctx), withdrawLimit)
			defer cancel()
			_ = c.Mailbox().Withdraw(withdrawing, number) // else it is fulfilled for nobody
			return peer.Answer{}, ctx.Err()
		}
	}
}

// withdrawLimit is how long it may take to take a request back: the write lock
// may be held by a process that is stopped.
const withdrawLimit = 500 * time.Millisecond

// noticeAfter is how long a command waits for another process without a word.
const noticeAfter = time.Second

func (k *Keeper) noticeIndexer(ctx context.Context, folder int, c *live.Follower) {
	if n, err := progress.IndexerNewsOf(ctx, c); err == nil {
		k.log.Warn("another process indexes the folder: waiting for it", "folder", k.folders[folder].Dir(), "which", n.Indexer)
	}
}

// askAgain asks for the same where the catalogue is a new one, or the indexer another,
// which may be this process.
func (k *Keeper) askAgain(ctx context.Context, w wish) (peer.Answer, error) {
	if !k.peers.Leads(w.folder) {
		return k.request(ctx, w)
	}
	a, err := k.fulfil(ctx, w.folder, requestFor(w))
	if errors.Is(err, catalog.ErrOvertaken) && ctx.Err() == nil {
		return k.request(ctx, w)
	}
	return a, err
}

// received takes over what the indexer has done.
func (k *Keeper) received(ctx context.Context, folder int, text string) (a peer.Answer, err error) {
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		return peer.Answer{}, fmt.Errorf("ask the indexer: %w", err)
	}
	if _, err := k.store.Follow(ctx, folder); err != nil {
		return peer.Answer{}, err
	}
	if a.Error != "" {
		return a, errors.New(a.Error)
	}
	return a, nil
}

// fulfil does what a request asks. Where another process has taken over meanwhile the
// error is catalog.ErrOvertaken: some of it may not be done.
func (k *Keeper) fulfil(ctx context.Context, folder int, wanted peer.Request) (peer.Answer, error) {
	if wanted.Check {
		return peer.Answer{}, k.recovery.CheckFor(ctx)
	}
	r, areas := k.indexer.NewRun(compare.Comparison{}), requested(wanted, folder)
	err := k.guard.Catch("do what another process asks for", func() (err error) {
		if r, err = k.indexer.Index(ctx, k.indexer.NewRun(compare.Comparison{Force: wanted.Force}), areas); err == nil {
			err = r.Wait(ctx)
		}
		if err == nil && r.Overtaken {
			err = catalog.ErrOvertaken
		}
		return cmp.Or(err, r.Spared(areas))
	})
	return k.answer(r, folder), err
}

// answer is what a run over a folder came to, for merge: others may call the folder
// otherwise.
func (k *Keeper) answer(r *indexer.Run, folder int) peer.Answer {
	a := peer.Answer{Report: r.Report, Seen: r.Seen}
	for i := range a.Report.Skipped {
		a.Report.Skipped[i].Path = strings.TrimPrefix(a.Report.Skipped[i].Path, k.folders.Show(search.Location{Folder: folder}))
	}
	return a
}

// answer fulfils what other processes ask for. A run may take long; others are
// answered meanwhile.
func (l *loop) answer(ctx context.Context, folder int, c *live.Follower) {
	d := &l.duties[folder]
	waiting, err := c.Mailbox().Unanswered(ctx)
	if err != nil && ctx.Err() == nil {
		l.k.log.Warn("could not read what another process asks for", "error", err)
	}
	for number, text := range waiting {
		if d.answered[number] {
			continue
		}
		d.answered[number] = true
		l.group.Go(func() {
			if err := l.attempt(ctx, folder, c, number, peer.Decode(text)); err != nil && ctx.Err() == nil && !catalog.IsOfDatabase(err) { // which is told of anyway
				l.k.log.Warn("could not answer another process", "error", err)
			}
		})
	}
}

// mostBegun is how many processes may have ended in the middle of a request
// before it is taken for the reason.
const mostBegun = 3

// attempt fulfils a request and answers it. It says so in the catalogue before,
// lest what ends this process ends all that come after it.
func (l *loop) attempt(ctx context.Context, folder int, c *live.Follower, number int64, r peer.Request) error {
	if r.Fault != nil {
		return peer.Reply(ctx, c, number, peer.Answer{Error: r.Fault.Error()})
	}
	if r.Begun >= mostBegun {
		return peer.Reply(ctx, c, number, peer.Answer{Error: fmt.Sprintf("%d processes ended while they were at this: ask for fewer files at a time", r.Begun)})
	}
	r.Begun++
	if asked, err := peer.Amend(ctx, c, number, r); err != nil || !asked {
		return err
	}
	a, err := l.k.fulfil(ctx, folder, r)
	if ctx.Err() != nil || errors.As(err, new(freshness.Unlike)) || errors.Is(err, catalog.ErrOvertaken) { // given up: the next indexer will do it
		r.Begun--
		_, err := peer.Amend(context.WithoutCancel(ctx), c, number, r)
		return err
	}
	if err != nil {
		a.Error = err.Error()
	}
	return peer.Reply(ctx, c, number, a)
}

// merge adds what another process has done to a report.
func (k *Keeper) merge(r *indexer.Run, folder int, a peer.Answer) {
	r.Seen += a.Seen
	r.Report.Indexed += a.Report.Indexed
	r.Report.Unchanged += a.Report.Unchanged
	r.Report.Removed += a.Report.Removed
	for _, s := range a.Report.Skipped {
		r.NoteSkipped(folder, s.Path, s.Reason)
	}
}

// reread has the process that indexes a folder read areas of it again, whatever they look
// like.
func (k *Keeper) reread(ctx context.Context, folder int, areas []compare.Area) error {
	_, err := k.askAgain(ctx, wish{folder: folder, areas: areas, force: true})
	return err
}
