package mcp

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/index"
	"vademecum/index/progress"
	"vademecum/internal/base/present"
	"vademecum/internal/base/script"
)

// instructions is the text about this server that hosts give to their model. It begins with what
// matters most, as Codex shows only about 250 characters of it while it searches for tools. A
// description of the documents is appended.
const instructions = `The user's own notes and documents. Before you answer a question they may cover, call retrieve_docs with it, and in "also" how the documents may say it and translations; cite file and lines of what you use. ` +
	`If nothing fits, ask again in other words before you say so. Use read_doc to see more of a document around a passage, find_in_docs for every place of a name or phrase, check_quotes before an answer with quotations, list_docs to see what there is. The index is updated automatically when files change` + whenToIndex

// whenToIndex is the end of the instructions for clients that may call index_docs.
const whenToIndex = "; index_docs is only needed to force it or to learn why a file was left out."

// addIntroduction is middleware that appends the introduction of the documents to the instructions,
// if it is known already: a client that connects does not wait for the index.
func (s *Server) addIntroduction(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, req)
		if err != nil {
			return result, err
		}
		switch r := result.(type) {
		case *mcp.InitializeResult:
			r.Instructions = s.introduce(ctx, req, r.Instructions)
		case *mcp.DiscoverResult:
			r.Instructions = s.introduce(ctx, req, r.Instructions)
		}
		return result, nil
	}
}

func (s *Server) introduce(ctx context.Context, req mcp.Request, instructions string) string {
	if callerOf(ctx, req).onlyReads {
		instructions = strings.TrimSuffix(instructions, whenToIndex) + "."
	}
	return instructions + s.introduction(ctx)
}

// introduction describes the documents in a paragraph, which is the saved one while the documents
// are being loaded; "" if there is none yet.
func (s *Server) introduction(ctx context.Context) string {
	if s.library.State().Phase == progress.Loading {
		return s.library.SavedIntroduction()
	}
	return s.newIntroduction(ctx)
}

// saveIntroduction saves the introduction for clients that connect while the documents are being
// loaded.
func (s *Server) saveIntroduction(ctx context.Context) {
	text := s.newIntroduction(ctx)
	if text == "" || text == s.library.SavedIntroduction() {
		return
	}
	if err := s.library.SaveIntroduction(text); err != nil {
		s.log.Debug("what the documents are was not saved", "error", err)
	}
}

// newIntroduction returns the introduction of the current documents. It is cached until a document
// changes.
func (s *Server) newIntroduction(ctx context.Context) string {
	written := s.library.ChangeNumber()
	if last := s.introduced.Load(); last != nil && last.written == written {
		return last.text
	}
	c, err := s.library.Contents(ctx)
	if err != nil || c.SearchableCount == 0 {
		return ""
	}
	tags, _ := s.library.Tags(ctx, index.Filter{})
	text := "\n\n" + writeIntroduction(s.library.Folders(), c, tags)
	if about := s.aboutParagraph(ctx); about != "" {
		text += " Its README begins, as data: " + present.QuoteShort(about)
	}
	s.introduced.Store(&cachedIntroduction{written, text})
	return text
}

// cachedIntroduction is the introduction of the documents as of a change number. It is cached
// because examining 100,000 documents takes a tenth of a second.
type cachedIntroduction struct {
	written uint64 // the change number; see Library.ChangeNumber
	text    string
}

// Limits of the paragraph about the documents that is taken from a README.
const (
	aboutLines  = 40  // lines of the README that are read
	aboutLength = 300 // characters of the paragraph
)

// aboutParagraph returns the first paragraph of the README or index note in the top folder; "" if
// there is none.
func (s *Server) aboutParagraph(ctx context.Context) string {
	for _, name := range []string{"README.md", "index.md"} {
		p, err := index.Ask(ctx, s.library, index.ReadQuery{Ref: name, StartLine: 1, EndLine: aboutLines})
		if err == nil && strings.EqualFold(p.Path, name) {
			return firstParagraph(p.Text)
		}
	}
	return ""
}

// firstParagraph returns the first paragraph of prose in Markdown, on one line.
func firstParagraph(text string) string {
	for block := range strings.SplitSeq(text, "\n\n") {
		block = strings.Join(strings.Fields(block), " ")
		if block == "" || strings.ContainsRune("#<![|-*>`~", rune(block[0])) {
			continue
		}
		if runes := []rune(block); len(runes) > aboutLength {
			return string(runes[:aboutLength]) + " …"
		}
		return block
	}
	return ""
}

// Maximum numbers of items that the introduction lists.
const (
	mostLanguages = 4
	mostKinds     = 5
	mostParts     = 8
	mostTags      = 8
)

// writeIntroduction returns the description of the documents. The names in it come from files, so
// they are quoted as data, which a model must not take for instructions.
func writeIntroduction(folders []string, c index.Contents, tags []index.TagCount) string {
	var out strings.Builder
	names := make([]string, len(folders))
	for i, dir := range folders {
		names[i] = present.QuoteShort(filepath.Base(dir))
	}
	fmt.Fprintf(&out, "What is there now: %d documents in %s", c.SearchableCount, strings.Join(names, ", "))
	languages, known := c.MainLanguages()
	for i, l := range languages {
		languages[i].Name = script.LanguageName(l.Name)
	}
	writeShares(&out, "; languages of prose: ", languages, mostLanguages, known)
	writeShares(&out, "; kinds: ", c.Kinds, mostKinds, c.SearchableCount)
	writeShares(&out, "; main folders: ", largestParts(c.Directories, c.SearchableCount), mostParts, 0)
	counted := make([]index.DocumentCount, len(tags))
	for i, t := range tags {
		counted[i] = index.DocumentCount{Name: t.Tag, Documents: t.Documents}
	}
	writeShares(&out, "; tags: ", largestParts(counted, c.SearchableCount), mostTags, 0)
	if c.FirstDate != 0 && c.LastDate != c.FirstDate {
		fmt.Fprintf(&out, "; dated %s to %s", c.FirstDate, c.LastDate)
	}
	return out.String() + "."
}

// leastPart gives the smallest share of all documents, 1/leastPart, with which a folder or tag is
// named in the introduction. A smaller one is not a main part, and may be named after a person.
const leastPart = 50

// largestParts returns those top-level folders or tags that contain at least 1/leastPart of all
// documents.
func largestParts(of []index.DocumentCount, all int) (parts []index.DocumentCount) {
	for _, t := range of {
		if t.Documents*leastPart >= all && t.Documents > 1 && !strings.Contains(t.Name, "/") {
			parts = append(parts, t)
		}
	}
	return parts
}

// writeShares lists the first most counts with their names, each as a percentage of all documents,
// or as it is if all is 0.
func writeShares(out *strings.Builder, label string, of []index.DocumentCount, most, all int) {
	for i, t := range of[:min(len(of), most)] {
		if i > 0 {
			label = ", "
		}
		name := present.CleanLine(t.Name)
		if name == "" {
			name = "others"
		}
		if all > 0 {
			fmt.Fprintf(out, "%s%s %d %%", label, name, max(1, t.Documents*100/all))
			continue
		}
		fmt.Fprintf(out, "%s%s (%d)", label, name, t.Documents)
	}
	if len(of) > most {
		fmt.Fprintf(out, " and %d more", len(of)-most)
	}
}
