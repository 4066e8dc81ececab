package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"vademecum/docs"
	"vademecum/embed"
	"vademecum/index"
	"vademecum/index/notice"
	"vademecum/index/store/catalog"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

func (p *program) status() *cobra.Command {
	var asJSON bool
	var missed, address string
	requireFolders := p.requireFolders(message.New("give the folder whose status you want"))
	c := &cobra.Command{
		Use:   "status FOLDER...",
		Short: "show what is in the index without updating it, or whether a server answers",
		Long: `show what is in the index without updating it, or whether a server answers

With --http it takes no folder, and asks the server at an address or URL. The exit
code is 0 if the server answers and 1 if not, for containers that have no other tool
to check with.`,
		Example: `  vademecum status notes
  vademecum status notes --why report.pdf
  vademecum status --http https://kb.example.com`,
		Args: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("http") {
				return nil
			}
			return requireFolders(c, args)
		},
		RunE: func(c *cobra.Command, folders []string) error {
			if c.Flags().Changed("http") {
				return p.statusHTTP(c, address, folders)
			}
			p.isForPeople = true
			ix, _, err := p.openIndexWith(embed.NewIdentityOnly, folders)
			if err != nil {
				return err
			}
			status, err := ix.Status(c.Context())
			var files []index.File
			if err == nil && missed != "" {
				files, err = findFiles(c.Context(), ix, missed)
			}
			if err := errors.Join(err, ix.Close()); err != nil {
				return err
			}
			switch {
			case missed != "" && asJSON:
				return p.printJSON(append([]index.File{}, files...))
			case missed != "":
				p.printFoundFiles(status, files, missed)
			case asJSON:
				return p.printJSON(statusOutput{status, allServers(folders)})
			default:
				p.printStatus(c.Context(), status, folders)
			}
			return nil
		},
	}
	c.Flags().StringVar(&missed, "why", "", "explain why a file is not found, by its name or path")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	c.Flags().StringVar(&address, "http", "", "ask the server at `ADDR` or a URL whether it answers (default "+defaultAddress+")")
	c.Flags().Lookup("http").NoOptDefVal = defaultAddress
	return c
}

// statusOutput is the JSON output of the command status.
type statusOutput struct {
	index.Status
	Servers []folderServer `json:"servers"`
}

// findFiles returns the files that a name may mean, or else those at that path in the working directory,
// with their state. Files that are excluded are among them only if the folder is on this machine.
func findFiles(ctx context.Context, ix *index.Index, name string) ([]index.File, error) {
	files, err := findFilesNamed(ctx, ix, name)
	if err != nil || len(files) > 0 || name == "" || filepath.IsAbs(name) {
		return files, err
	}
	abs, err := filepath.Abs(name)
	if err != nil {
		return files, nil
	}
	return findFilesNamed(ctx, ix, abs)
}

func findFilesNamed(ctx context.Context, ix *index.Index, name string) ([]index.File, error) {
	left, err := ix.Exclusions(ctx)
	if err != nil && !errors.Is(err, docs.ErrRemoteFolder) {
		return nil, err
	}
	known, err := ix.FindFiles(ctx, name, left)
	if err != nil {
		return nil, err
	}
	unread, err := ix.FindUnindexedFiles(ctx, name)
	if err != nil && !errors.Is(err, docs.ErrRemoteFolder) {
		return nil, err
	}
	return ix.ClosestFiles(name, append(known, unread...)), nil
}

// printFoundFiles prints the state of files.
func (p *program) printFoundFiles(s index.Status, files []index.File, name string) {
	damaged := false
	for _, f := range s.Folders {
		if f.Damage != "" {
			damaged = true
			fmt.Fprint(&p.out, p.localise("%s: its index is damaged: %s; vademecum index FOLDER builds it again\n", present.CleanLine(f.Folder), p.translateLine(f.Damage)))
		}
	}
	for _, f := range files {
		fmt.Fprintln(&p.out, p.translateLine(f.Message()))
	}
	if len(files) == 0 && !damaged {
		fmt.Fprintln(&p.out, p.localise("no file in the folders is called %s; to ask about a file in a folder that is left out, give its path from the top", present.QuoteName(name)))
	}
}

// printStatus prints the state of the index of some folders.
func (p *program) printStatus(ctx context.Context, s index.Status, folders []string) {
	for i, f := range s.Folders {
		p.printFolder(f)
		if i < len(folders) { // a library that another machine fills has no servers here
			p.printServers(folderServers(folders[i]))
		}
	}
	p.printDatabase(s.Database)
	fmt.Fprint(&p.out, p.localise("documents:  %d\npassages:   %d (%s)\n", s.Documents, s.Chunks, p.translateLine(vectorCountText(s))))
	p.printToEmbed(s.Folders)
	p.printScans(ctx, s)
	for _, d := range s.PartlyRead {
		fmt.Fprint(&p.out, p.localise("partly read: %s: %s\n", present.CleanLine(d.Path), p.translateLine(d.Reason)))
	}
	if len(s.Skipped) > 0 {
		fmt.Fprintln(&p.out, notice.SkippedList(s.Skipped, p.language()))
	}
	for _, r := range s.RefusedPassages {
		fmt.Fprint(&p.out, p.localise("refused by the model: %s: %s\n", present.CleanLine(r.Path), p.translateLine(r.Reason)))
	}
	p.printGuessedEncodings(s.GuessedEncodings)
}

// printFolder prints the state of the index of one folder.
func (p *program) printFolder(f index.FolderStatus) {
	fmt.Fprint(&p.out, p.localise("folder:     %s\n", present.CleanLine(f.Folder)))
	if f.Bytes == 0 && f.IsShared {
		fmt.Fprint(&p.out, p.localise("index:      none yet; vademecum index FOLDER creates one\n"))
		return
	}
	if f.Bytes == 0 {
		fmt.Fprint(&p.out, p.localise("index:      none on disk; vademecum index FOLDER creates one (an index that a server cannot save and keeps in memory is not shown here)\n"))
		return
	}
	if f.Damage != "" {
		fmt.Fprint(&p.out, p.localise("index:      %s (%s)\ndamaged:    %s; vademecum index FOLDER builds it again\n", f.IndexLocation, notice.FormatSize(f.Bytes), p.translateLine(f.Damage)))
		return
	}
	fmt.Fprint(&p.out, p.localise("index:      %s (%s)\nmodel:      %s\nlast scan:  %s\n", f.IndexLocation, notice.FormatSize(f.Bytes), f.Model, p.translateLine(scanTimeText(f.LastScan))))
	if f.UnreadFiles > 0 {
		fmt.Fprint(&p.out, p.localise("to read:    %v not read yet, new or left by a run that was stopped: vademecum index FOLDER reads what is left\n", message.New("%d files", f.UnreadFiles)))
	}
	for _, folders := range notice.FoldersFilledByProgramsMessages(f.ExcludedFolders) {
		fmt.Fprint(&p.out, p.localise("left out:   %s\n", folders))
	}
	if f.ModelHost != "" {
		fmt.Fprint(&p.out, p.localise("text is sent to: %s\n", f.ModelHost))
	}
	if f.RerankHost != "" {
		fmt.Fprint(&p.out, p.localise("passages found are sent to: %s\n", f.RerankHost))
	}
	p.printProblems(f)
	if f.Indexer != nil {
		fmt.Fprint(&p.out, p.localise("indexer:    %s, since %s\n", p.translateLine(f.Indexer.Message()), p.translateLine(scanTimeText(f.Indexer.Since))))
	}
}

// printProblems prints the problems of a folder, of its model and of its index.
func (p *program) printProblems(f index.FolderStatus) {
	if f.ModelFailure != "" {
		fmt.Fprint(&p.out, p.localise("model fails: %s\n", p.translateLine(f.ModelFailure)))
	}
	if f.Failure != "" {
		fmt.Fprint(&p.out, p.localise("last run failed: %s\n", p.translateLine(f.Failure)))
	}
	if f.MismatchReason != "" {
		fmt.Fprint(&p.out, p.localise("not indexed: %s\n", p.translateLine(f.MismatchReason)))
	}
	if f.UncomparedReason != "" {
		fmt.Fprint(&p.out, p.localise("not compared: %s\n", p.translateLine(f.UncomparedReason)))
	}
	if f.SnapshotFailure != "" {
		fmt.Fprint(&p.out, p.localise("starts are slow, no snapshot could be saved: %s\n", p.translateLine(f.SnapshotFailure)))
	}
	if f.IsVectorIndexDue {
		fmt.Fprintln(&p.out, p.localise("questions are slow, the vectors have no index: vademecum store vacuum creates it"))
	}
}

// printToEmbed prints how many passages still need vectors, and how long that is estimated to take
// at the latest speed.
func (p *program) printToEmbed(folders []index.FolderStatus) {
	passages, left := 0, time.Duration(0)
	for _, f := range folders {
		passages += f.PassagesToEmbed
		left += time.Duration(f.PassagesToEmbed) * f.EmbedTimePerPassage
	}
	if passages > 0 {
		fmt.Fprint(&p.out, p.localise("to embed:   %d passages%v\n", passages, notice.TimeLeft(left)))
	}
}

// printScans prints how many scanned pages have been recognised and how many are left, or why no
// program can recognise them.
func (p *program) printScans(ctx context.Context, s index.Status) {
	if s.RecognisedDocuments > 0 {
		fmt.Fprint(&p.out, p.localise("recognised: %d (documents whose text is read from pictures)\n", s.RecognisedDocuments))
	}
	r := p.newRecogniser()
	if s.PagesToRecognise+s.PicturesToRecognise == 0 || r == nil || !r.IsInstalled() {
		return
	}
	limited, cancel := context.WithTimeout(ctx, programPatience)
	defer cancel()
	switch err := r.Open(limited); {
	case errors.Is(err, context.DeadlineExceeded):
		fmt.Fprint(&p.out, p.localise("not recognised: scanned pages: %d, pictures: %d: tesseract does not answer\n", s.PagesToRecognise, s.PicturesToRecognise))
	case err != nil:
		fmt.Fprint(&p.out, p.localise("not recognised: scanned pages: %d, pictures: %d: %v\n", s.PagesToRecognise, s.PicturesToRecognise, notice.ErrorLine(err)))
	default:
		fmt.Fprint(&p.out, p.localise("to recognise: scanned pages: %d, pictures: %d; a server does it gradually, vademecum index FOLDER at once\n", s.PagesToRecognise, s.PicturesToRecognise))
	}
}

// programPatience is how long status and search wait for the OCR program to tell its version.
const programPatience = 5 * time.Second

// fewGuessed is the maximum number of files listed for an encoding: in an old folder, all files may
// have the same one.
const fewGuessed = 3

// printGuessedEncodings prints the files whose encoding was guessed. For an encoding of many files
// it prints their number and one of them.
func (p *program) printGuessedEncodings(all []index.GuessedEncoding) {
	byEncoding := make(map[string][]string)
	for _, g := range all {
		byEncoding[g.Encoding] = append(byEncoding[g.Encoding], present.CleanLine(g.Path))
	}
	for _, encoding := range slices.Sorted(maps.Keys(byEncoding)) {
		paths := byEncoding[encoding]
		if len(paths) > fewGuessed {
			fmt.Fprintln(&p.out, p.localise("encoding guessed: %d files are read as %s, such as %s", len(paths), encoding, paths[0]))
			continue
		}
		for _, path := range paths {
			fmt.Fprintln(&p.out, p.localise("encoding guessed: %s is read as %s", path, encoding))
		}
	}
}

// vectorCountText returns a text on how many passages have vectors.
func vectorCountText(s index.Status) message.Message {
	saved := func(f index.FolderStatus) bool { return f.Model != "" && embed.IsWorthStoring(f.Model) }
	if !slices.ContainsFunc(s.Folders, saved) {
		return message.New("vectors of the built-in embedding are not saved, but made when they are needed")
	}
	return message.New("%d with a vector", s.Chunks-s.UnembeddedChunks)
}

// printDatabase prints the problems of the database, and the state of its replica.
func (p *program) printDatabase(d *catalog.DatabaseStatus) {
	if d == nil {
		return
	}
	if d.WriteRefusal != "" {
		fmt.Fprint(&p.out, p.localise("database:   accepts no changes: %s: %s\n", p.translateLine(d.WriteRefusal), p.translate(d.Remedy)))
	}
	if d.LatencyMillis > 0 {
		fmt.Fprint(&p.out, p.localise("database:   answers slowly: %d ms per statement; a question needs about ten\n", d.LatencyMillis))
	}
	if d.Replica != nil {
		fmt.Fprint(&p.out, p.localise("replica:    %s: %s\n", d.Replica.Address, p.translateLine(d.Replica.Message())))
	}
}

func scanTimeText(t time.Time) message.Message {
	if t.IsZero() {
		return message.New("never finished")
	}
	return message.Message(t.Format("2006-01-02 15:04:05"))
}
