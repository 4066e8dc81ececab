// Package upkeep keeps what is held of folders as the folders are: it loads what
// was indexed before, scans, watches and reads, has the vectors made, mends an
// index that breaks, and shares all that with other processes on the same
// folder. It writes to the catalogue and to memory; what is asked of them is
// answered elsewhere.
package upkeep

import (
	"context"
	"log/slog"
	"time"

	"golang.org/x/sync/semaphore"

	"vademecum/index/compare"
	"vademecum/index/embedding"
	"vademecum/index/freshness"
	"vademecum/index/indexer"
	"vademecum/index/ingest"
	"vademecum/index/live"
	"vademecum/index/peer"
	"vademecum/index/recovery"
	"vademecum/index/roots"
	"vademecum/index/search"
	"vademecum/index/throttle"
	"vademecum/internal/panics"
)

// Keeper keeps what is held of folders as they are on the disk. Its methods may be
// called from several goroutines at once.
type Keeper struct {
	folders  roots.Set
	patience time.Duration
	log      *slog.Logger
	guard    *panics.Guard
	reader   *ingest.Reader
	comparer *compare.Comparer
	store    *live.Store
	fresh    *freshness.Freshness
	peers    *peer.Process
	turn     *semaphore.Weighted // of one: whoever holds it may change an index
	recovery *recovery.Recovery
	indexer  *indexer.Indexer

	comparing chan struct{} // holds one token: whoever has it may compare a folder of another process for a question

	adding chan struct{} // holds one token: whoever has it may add texts

	throttle *throttle.Throttle

	slack slack

	Embedding *embedding.Service
}

// New makes a Keeper of folders. Sync and Embed wait for another process that has
// these duties as long as patience says, 0: to its end.
func New(folders roots.Set, store *live.Store, patience time.Duration, log *slog.Logger) *Keeper {
	tracker := freshness.NewTracker(len(folders))
	k := &Keeper{
		folders:   folders,
		patience:  patience,
		log:       log,
		guard:     panics.NewGuard(log),
		store:     store,
		turn:      semaphore.NewWeighted(1),
		adding:    make(chan struct{}, 1),
		comparing: make(chan struct{}, 1),
	}
	k.peers = peer.New(folders, store, tracker, log)
	k.fresh = freshness.New(tracker, freshness.Sources{Folders: folders, Store: store, Indexer: k, Late: k.Late, HasPending: k.hasPending, Log: log})
	k.throttle = throttle.New()
	k.reader = &ingest.Reader{Folders: folders, Throttle: k.throttle, IsGenerated: store.IsGenerated, Guard: k.guard, Log: log}
	k.comparer = compare.New(compare.Parts{
		Folders: folders, Store: store, Reader: k.reader, Throttle: k.throttle, Fresh: k.fresh, Leads: k.peers.Leads, Guard: k.guard, Log: log,
	})
	k.recovery = recovery.New(recovery.Parts{
		Folders: folders, Store: store, Comparer: k.comparer, Peers: k.peers, Fresh: k.fresh, Turn: k.turn, Reread: k.reread, Guard: k.guard, Log: log,
	})
	k.Embedding = embedding.New(embedding.Parts{
		Folders: folders, Store: store, Embedder: store.Embedder, Progress: tracker, Peers: k.peers, Log: log,
		Guard: k.guard.Catch, Salvage: k.recovery.SalvageInTurn, SaveSnapshots: k.saveSnapshots,
	})
	k.recovery.Embedding = k.Embedding
	k.indexer = indexer.New(indexer.Parts{
		Folders: folders, Store: store, Reader: k.reader, Comparer: k.comparer, Recovery: k.recovery, Throttle: k.throttle,
		Embedding: k.Embedding, Peers: k.peers, Fresh: k.fresh, Turn: k.turn, ScanGrew: func() { k.slack.made.Store(true) }, Guard: k.guard, Log: log,
	})
	return k
}

func (k *Keeper) hasPending() bool { return k.Embedding.HasPending() }

// ForTexts makes a Keeper of no folder: of the texts in a store.
func (k *Keeper) ForTexts(store *live.Store) *Keeper {
	return New(nil, store, k.patience, k.log)
}

// Embed gives vectors to the chunks that have none, which ends what began with
// Sync. What was done stays when it fails; the error is that of the model, or
// of ctx. Where another process embeds it waits for that one.
func (k *Keeper) Embed(ctx context.Context) error {
	if err := k.fresh.WaitLoaded(ctx); err != nil {
		return err
	}
	return k.tellingWhile(ctx, func() error { return k.Embedding.Finish(ctx, k.patience) })
}

// Freshness is how fresh what is kept is.
func (k *Keeper) Freshness() *freshness.Freshness { return k.fresh }

// Every is how often the file at a place is read, as it changes all the time; 0:
// when it changes.
func (k *Keeper) Every(at search.Location) time.Duration { return k.throttle.Every(at, time.Now()) }

// Late lists the files that have changed and are not read yet, as they change all
// the time.
func (k *Keeper) Late() []search.Location { return k.throttle.Late(time.Now()) }

// Recovery loads the indexes, and repairs them.
func (k *Keeper) Recovery() *recovery.Recovery { return k.recovery }

// Indexer indexes the folders.
func (k *Keeper) Indexer() *indexer.Indexer { return k.indexer }

// Close gives up what is being read in the background, and waits for that.
func (k *Keeper) Close() { k.indexer.Close() }
