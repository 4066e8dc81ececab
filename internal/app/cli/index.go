package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/spf13/cobra"

	"vademecum/embed"
	"vademecum/index"
	"vademecum/index/notice"
	"vademecum/internal/base/message"
	"vademecum/internal/base/script"
)

func (p *program) index() *cobra.Command {
	var force, replace, dryRun bool
	c := &cobra.Command{
		Use:   "index FOLDER...",
		Short: "update the index and report what is not indexed",
		Example: `  vademecum index notes
  vademecum index notes --embed ollama:bge-m3 --dry-run`,
		Args: requireArgs(1, message.New("give the folder to index")),
		RunE: func(c *cobra.Command, folders []string) error {
			if dryRun {
				p.asks = true
				return p.estimateIndexing(c.Context(), folders)
			}
			if store, _ := p.storeAddress(); replace && store == "" {
				return usageError{message.Errorf("--replace is about libraries in a database"), message.New("leave it out: the index of a folder always reflects its current contents")}
			}
			p.onDisk, p.recognises = true, true
			return p.withIndex(c.Context(), folders, func(ctx context.Context, ix *index.Index) error {
				report, err := p.sync(ctx, ix, index.Scope{Force: force, CheckTexts: true, ReplaceLibrary: replace})
				isAboutScans := errors.As(err, new(scansError))
				if err == nil || isAboutScans || errors.As(err, new(modelError)) || isPartialFailure(err) {
					fmt.Fprintln(&p.out, report.InLanguage(p.language()))
				}
				if err == nil && report.SearchableDocuments == 0 && len(report.Skipped) == 0 && !ix.State().IsBehind() {
					p.notes = append(p.notes, p.localise("no file was found; hidden files, links and what .gitignore names are left out"))
				}
				if c.Context().Err() == nil && !isAboutScans { // otherwise the error reports the scans
					p.noteScans(ix)
				}
				return p.withConfirmHint(err, folders)
			})
		},
	}
	c.Flags().BoolVar(&dryRun, "dry-run", false, "only report how much there is to index and embed, and what that costs")
	c.Flags().BoolVar(&force, "force", false, "read the files again even when they look unchanged")
	c.Flags().BoolVar(&replace, "replace", false, "make the library hold this folder, even if most of its documents are removed")
	return c
}

// noteScans adds a note on scanned pages whose text is not recognised yet, with the reason.
func (p *program) noteScans(ix *index.Index) {
	for _, n := range ix.FreshnessNotes() {
		if n.Kind == notice.PagesToRecognise {
			p.notes = append(p.notes, p.translate(n.Message()))
		}
	}
}

// withConfirmHint adds to an error, about libraries that belong to other folders, the command that
// assigns them to the given folders. It may contain the address of the database, as one with a
// password has been refused before.
func (p *program) withConfirmHint(err error, folders []string) error {
	var mismatch index.FolderMismatchError
	if !errors.As(err, &mismatch) || index.IsMissingFolderError(err) {
		return err
	}
	command, libraries := []string{"index"}, []string(nil)
	for i, dir := range folders {
		if mismatch.Folders[i].Kind != notice.FolderMismatch {
			continue
		}
		command = append(command, quoteArg(dir))
		if len(p.libraries) > 0 {
			libraries = append(libraries, "--library "+quoteArg(p.libraries[i]))
		}
	}
	command = append(command, libraries...)
	if p.store != "" {
		command = append(command, "--store "+quoteArg(p.store))
	}
	return message.Errorf("%v; to make the library hold this folder: %v --replace", err, commandLine(command...))
}

// estimateIndexing prints how much there is to index, and what it is estimated to cost and how long
// to take (--dry-run).
func (p *program) estimateIndexing(ctx context.Context, folders []string) error {
	p.isForPeople = true
	ix, _, err := p.openIndexWith(embed.NewIdentityOnly, folders)
	if err != nil {
		return err
	}
	watching, stop := context.WithCancel(ctx)
	shown := make(chan struct{})
	go func() {
		defer close(shown)
		p.showProgress(watching, ix)
	}()
	e, err := ix.Estimate(ctx)
	stop()
	<-shown
	if err := errors.Join(err, ix.Close()); err != nil {
		return err
	}
	fmt.Fprint(&p.out, p.localise("files:     %d\npassages:  %d, %d of them to be embedded\ntokens:    about %d\n", e.Files, e.Chunks, e.TextsToEmbed, e.Tokens))
	model := embed.PropertiesOf(p.embedSpec)
	if model.Host != "" {
		fmt.Fprintln(&p.out, p.localise("sent to:   %s", model.Host))
	}
	if price := model.Price; price != nil {
		fmt.Fprintln(&p.out, p.localise("price:     about %.4f %s (%g a million tokens, as of %s, %s)",
			float64(e.Tokens)/1e6*price.PerMillion, price.Currency, price.PerMillion, price.Date, price.SourceURL))
	}
	if model.InProcess && e.TextsToEmbed > 0 {
		if err := p.tellTime(ctx, e.TextsToEmbed, e.Tokens, e.SampleTexts); err != nil {
			return err
		}
	}
	if len(e.Skipped) > 0 {
		fmt.Fprintln(&p.out, notice.SkippedList(e.Skipped, p.language()))
	}
	fmt.Fprintln(&p.out, p.localise("Nothing was saved or sent."))
	return nil
}

// measuring is the time limit for measuring the speed of a model.
const measuring = 3 * time.Second

// tellTime prints how long the model in this process is estimated to take for a number of texts
// with a number of tokens in total. It measures the speed with some of the texts.
func (p *program) tellTime(ctx context.Context, texts, tokens int, some []string) error {
	model, err := embed.New(p.embedSpec)
	if err != nil {
		return err
	}
	vectors, err := model.Embed(ctx, embed.Passage, some[:1]) // loads the weights
	if err != nil {
		return err
	}
	patient, cancel := context.WithTimeout(ctx, measuring)
	defer cancel()
	began, done := time.Now(), 0
	came, err := model.Embed(patient, embed.Passage, some)
	if err != nil && patient.Err() == nil {
		return err
	}
	for i, vector := range came {
		if vector != nil {
			done += script.EstimateTokens(some[i])
		}
	}
	// a lower bound if no text was embedded
	amount, unit := measuring.Seconds()*float64(texts), message.New("s")
	if done > 0 {
		amount = time.Since(began).Seconds() / float64(done) * float64(tokens)
	}
	if amount > 120 {
		amount, unit = amount/60, message.New("min")
	}
	fmt.Fprint(&p.out, p.localise("time:      about %.0f %v, at this machine's current load\nvectors:   %s\n",
		math.Ceil(amount), unit, notice.FormatSize(int64(texts)*int64(len(vectors[0]))*4)))
	return nil
}
