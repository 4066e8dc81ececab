package index

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"vademecum/embed"
	"vademecum/index/indextest"
	"vademecum/index/notice"
	"vademecum/index/progress"
	"vademecum/index/sync"
)

// crashVariable makes the test program a process of the crash test: it holds
// the folder, the index file, the sub-folder to edit and a seed.
const crashVariable = "VADEMECUM_CRASH"

// editor edits a sub-folder while an index of the folder is kept up to date,
// and tells on stdout what it is about to do and what is done:
//
//	edit PATH          the file is about to change
//	ack PATH HASH      the content with that hash is indexed
//	vectors PATH HASH  and all of it embedded
//	drop PATH          the file is gone, and from the index too
//	round              a Sync has returned
//	fault TEXT         something is wrong
//
// Each line is written at once, so that it is known even after a kill.
type editor struct {
	dir, sub string
	rng      *rand.Rand
	ix       *Index
	alone    atomic.Bool // no other process uses the index file

	files   map[string]string // paths and hashes of what is on disk
	changed map[string]bool   // since they were told to be indexed
	bare    map[string]bool   // told to be indexed, and not to be embedded
	made    int
}

// runCrashChild does not return in a process of the crash test.
func runCrashChild() {
	parts := strings.Split(os.Getenv(crashVariable), "|")
	if len(parts) != 4 {
		return
	}
	seed, err := strconv.ParseUint(parts[3], 10, 64)
	if err != nil {
		panic(err)
	}
	e := &editor{dir: parts[0], sub: parts[2], rng: rand.New(rand.NewPCG(seed, 0)),
		files: make(map[string]string), changed: make(map[string]bool), bare: make(map[string]bool)}
	e.must(e.run(parts[1]))
	os.Exit(0)
}

func (e *editor) say(format string, args ...any) {
	line := strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", " ") + "\n"
	if _, err := os.Stdout.WriteString(line); err != nil {
		panic(err)
	}
}

func (e *editor) must(err error) {
	if err != nil {
		e.say("fault %v", err)
		os.Exit(1)
	}
}

// run edits and syncs until stdin says stop, or ends with the parent.
func (e *editor) run(file string) error {
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	var err error
	if e.ix, err = New(Options{Folders: []string{e.dir}, IndexPaths: []string{file}, Embedder: crashEmbedder{}, Logger: log}); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go e.listen(cancel)
	done := make(chan error, 1)
	go func() { done <- e.ix.Run(ctx) }()
	if err := e.begin(ctx); err == nil {
		for ctx.Err() == nil {
			e.must(e.round(ctx))
		}
	} else if ctx.Err() == nil {
		return err
	}
	if err := <-done; err != nil {
		return err
	}
	return e.ix.Close()
}

func (e *editor) listen(cancel func()) {
	defer cancel()
	for in := bufio.NewScanner(os.Stdin); in.Scan() && in.Text() != "stop"; {
		e.alone.Store(in.Text() == "alone")
	}
}

// begin takes what earlier processes left on disk as changed.
func (e *editor) begin(ctx context.Context) (err error) {
	if e.files, err = filesUnder(e.dir, e.sub); err != nil {
		return err
	}
	for p := range e.files {
		e.changed[p] = true
	}
	isLoaded := indextest.Poll(time.Hour, func() bool { // a kill ends it before
		return ctx.Err() != nil || e.ix.State().Phase != progress.Loading
	})
	if err := ctx.Err(); err != nil || !isLoaded {
		return err
	}
	e.say("loaded")
	if e.rng.IntN(2) == 0 {
		return checkpointOften(ctx, e.ix)
	}
	return nil
}

// round edits some files, syncs, and reports what is indexed by then.
func (e *editor) round(ctx context.Context) error {
	alone := e.alone.Load() // before the Sync, which takes over what others did
	for range 1 + e.rng.IntN(6) {
		if err := e.edit(); err != nil {
			return err
		}
	}
	if e.rng.IntN(8) == 0 && alone {
		e.say("age")
		if err := ageVectors(ctx, e.ix); err != nil {
			return err
		}
	}
	scope := sync.Scope{}
	if e.rng.IntN(3) == 0 {
		scope.Paths = []string{e.sub}
	}
	scope.Force = e.rng.IntN(6) == 0
	e.say("%s", map[bool]string{true: "force", false: "sync"}[scope.Force])
	r, err := e.ix.Sync(ctx, scope)
	if err != nil {
		return unlessOver(ctx, err)
	}
	e.acknowledge(r)
	e.say("round")
	if e.rng.IntN(3) == 0 {
		return nil
	}
	if err := e.embed(ctx); err != nil || !alone || e.rng.IntN(6) > 0 {
		return err
	}
	return e.inspect(ctx)
}

func unlessOver(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// acknowledge reports what a Sync has covered.
func (e *editor) acknowledge(r notice.Report) {
	skipped := make(map[string]bool)
	for _, s := range r.Skipped {
		skipped[s.Path] = true
	}
	for _, p := range slices.Sorted(maps.Keys(e.changed)) {
		hash, there := e.files[p]
		switch {
		case skipped[p]:
			continue
		case there:
			e.say("ack %s %s", p, hash)
			e.bare[p] = true
		default:
			e.say("drop %s", p)
		}
		delete(e.changed, p)
	}
}

func (e *editor) embed(ctx context.Context) error {
	e.say("embed")
	if err := e.ix.Embed(ctx); err != nil {
		return unlessOver(ctx, err)
	}
	for _, p := range slices.Sorted(maps.Keys(e.bare)) {
		if hash, there := e.files[p]; there && !e.changed[p] {
			e.say("vectors %s %s", p, hash)
		}
	}
	clear(e.bare)
	if e.rng.IntN(3) == 0 && e.ix.folders[0].Storage.IndexingLease().TryAcquire() { // only the indexer writes beside the index
		e.say("snapshot")
		if err := e.ix.store.SaveSnapshot(ctx, 0); err != nil {
			return unlessOver(ctx, err)
		}
	}
	return nil
}

// inspect looks for what is wrong in memory, after changes and with the
// postings of removed chunks.
func (e *editor) inspect(ctx context.Context) error {
	documents, faults := flatten(ctx, e.ix)
	if ctx.Err() != nil {
		return nil
	}
	for p, hash := range e.files {
		if d, there := documents[p]; !e.changed[p] && (!there || hex.EncodeToString(d.Hash[:]) != hash) {
			faults = append(faults, fmt.Sprintf("%s is not in memory as it was indexed: there %v", p, there))
		}
	}
	for _, d := range documents {
		for i, why := range wrongVectors(d) {
			faults = append(faults, fmt.Sprintf("in memory %s, chunk %d: %s", d.Path, i, why))
		}
	}
	for _, f := range faults[:min(len(faults), 5)] {
		e.say("fault in a process: %s", f)
	}
	return nil
}

// checkpointOften makes the log of the index be copied back after every few
// pages, so that a kill hits that too.
func checkpointOften(ctx context.Context, ix *Index) error {
	_, err := onDisk(ix.store.Follower(0)).Writer().ExecContext(ctx, "PRAGMA wal_autocheckpoint(20)")
	return err
}

// ageVectors makes the next Sync drop the vectors that were out of use at the
// last prune.
func ageVectors(ctx context.Context, ix *Index) error {
	_, err := onDisk(ix.store.Follower(0)).Writer().ExecContext(ctx,
		"BEGIN IMMEDIATE; DELETE FROM meta WHERE key LIKE 'pruned%'; UPDATE vectors SET spare_since = 1 WHERE spare_since > 0; COMMIT")
	return unlessOver(ctx, err)
}

// crashEmbedder makes vectors that tell texts apart and mean nothing.
type crashEmbedder struct{}

func (crashEmbedder) ModelIdentity() string { return "crash/1" }

func (crashEmbedder) Properties() embed.Properties {
	return embed.Properties{Semantic: true, Weight: 0.5}
}

func (crashEmbedder) Embed(_ context.Context, _ embed.TextKind, texts []string) ([][]float32, error) {
	var all [][]float32
	for _, text := range texts {
		all = append(all, crashVector(text))
	}
	return all, nil
}

func crashVector(text string) []float32 {
	sum := sha256.Sum256([]byte(text))
	vec := make([]float32, 16)
	var length float64
	for i := range vec {
		vec[i] = float32(sum[i]) - 127.5
		length += float64(vec[i]) * float64(vec[i])
	}
	for i := range vec {
		vec[i] /= float32(math.Sqrt(length))
	}
	return vec
}

func hashOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// filesUnder maps the files at and below a path of a folder to the hashes of
// their contents, but for those that were being saved.
func filesUnder(dir, under string) (map[string]string, error) {
	hashes := make(map[string]string)
	err := fs.WalkDir(os.DirFS(dir), under, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(p, "~") {
			return err
		}
		content, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(p)))
		hashes[p] = hashOf(content)
		return err
	})
	return hashes, err
}
