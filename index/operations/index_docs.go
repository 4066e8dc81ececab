package operations

import (
	"context"
	"errors"

	"vademecum/index"
)

func indexDocs() Operation {
	var u UpdateRequest
	return Operation{
		Name:  IndexDocsName,
		Title: "Bring the index up to date",
		Description: "Updates the index from the folder at once, and reports which files were left out and why. " +
			"Rarely needed: changes are indexed automatically. " +
			"Texts given to it are kept alongside the files for this session only, and ranked like files; they are not saved.",
		ChangesIndex:     true,
		ExampleArguments: `{}`,
		Parameters: []Parameter{
			{Name: "paths", Target: &u.Paths, Description: "Only these files, folders or globs, such as `notes/new.md` or `cardio/**`.", Aliases: []string{"file", "files", "folder", "folders", "path"}},
			{Name: "force", Target: &u.Force, Description: "Read files again even if they look unchanged.", Aliases: []string{"rebuild", "refresh", "reindex"}},
			{Name: "docs", Target: &u.TextsToKeep, Description: "Texts to keep alongside the files.", Aliases: []string{"documents", "texts"}},
		},
		Check: func() error {
			if len(u.TextsToKeep) > 0 && (len(u.Paths) > 0 || u.Force) {
				return errors.New("give docs, or paths and force, not both")
			}
			return index.CheckTextSizes(u.TextsToKeep)
		},
		Run: func(ctx context.Context, c CallEnvironment) (Result, error) {
			text, err := c.Update(ctx, u)
			return Result{Text: text}, err
		},
	}
}

// IndexDocsName is the name of the operation that updates the index, and takes whole texts to be indexed.
const IndexDocsName = "index_docs"

// UpdateRequest says what is to be indexed: files of the folders, or texts that a client sends.
type UpdateRequest struct {
	Paths       []string // files and folders to be brought up to date; nil means all
	Force       bool     // also read files that look unchanged
	TextsToKeep []string // texts to be searchable during the session; if there are any, the other fields are empty
}
