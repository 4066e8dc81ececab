// Package say holds what an index has to tell people beside the passages of an
// answer: as plain values, which cross every contract, and here alone in words.
package say

import (
	"fmt"
	"strings"
	"time"

	"vademecum/internal/present"
)

// Kind is what a Note is about.
type Kind string

const (
	// Of a question whose passages are found by their words only: the model
	// refuses it (Why), takes longer than For (Model), does not answer (Why), or
	// gives vectors of another length now (Model).
	QuestionRefused Kind = "question refused"
	ModelSlow       Kind = "model slow"
	ModelFails      Kind = "model fails"
	ModelChanged    Kind = "model changed"

	NoPath        Kind = "no path"        // no document has a path that Path, a glob, means; SoFar
	PathElsewhere Kind = "path elsewhere" // none has from the top, but Words, folders or documents, have it further down: these are meant
	// Of a filter that no document fulfils; SoFar.
	NoTag     Kind = "no tag"      // Path, a tag; Words are those that come near, with their numbers
	NoKey     Kind = "no key"      // Path, a key of front matter; Words likewise
	NoValue   Kind = "no value"    // Path, a key and its value; Words likewise, of the key
	NoDate    Kind = "no date"     // Path, from or up to when; Words[0] is the date that comes next
	NoneOfAll Kind = "none of all" // Words are the conditions with the numbers of their documents; Path, a glob, or ""

	NoDocument Kind = "no document"  // none is there that can be searched; SoFar
	NotInThose Kind = "not in those" // Count documents fulfil a filter, and nothing in them matches

	UnknownWords Kind = "unknown words" // Words are in no document; SoFar

	DatabaseAway    Kind = "database away"    // it does not answer, or Why it cannot be used
	DatabaseRefuses Kind = "database refuses" // it takes no changes: Why
	DatabaseSlow    Kind = "database slow"    // each statement takes For at least, and a question some ten of them

	RunFailed    Kind = "run failed"    // the last run, so that anything may be out of date: Why
	BeingBuilt   Kind = "being built"   // Done of Total files are
	BeingScanned Kind = "being scanned" // the folder, still
	WasScanned   Kind = "was scanned"   // it was, while the answer was made

	ProcessSilent Kind = "process silent" // the one that keeps the index up to date has not answered For; PID, 0: unknown
	ProcessBehind Kind = "process behind" // it answers, and has not taken up what changed; PID
	NotCompared   Kind = "not compared"   // it could not be found out in time whether the index is up to date
	NobodyIndexes Kind = "nobody indexes" // the folders, of which this machine sees no files; Words are the short names of their homes, none: all of them
	FolderSilent  Kind = "folder silent"  // Path, a folder, has not answered For
	FolderMissing Kind = "folder missing" // Path, a folder, is not there or cannot be looked at: Why, with what to do; Count of its files are known from before
	FolderStrayed Kind = "folder strayed" // the path it was given by leads elsewhere (Why), the documents are those of Path
	FolderUnlike  Kind = "folder unlike"  // Count of Total documents of Library are no files of Path, a folder, so that it is not indexed
	Unwatched     Kind = "unwatched"      // changes show only after For: Why
	AtIntervals   Kind = "at intervals"   // Path changes all the time, and Count other files

	WithoutVector  Kind = "without vector"  // Count of Total passages wait for one: For is left, or Why, unless neither is known
	VectorsRefused Kind = "vectors refused" // Count of Total passages are refused by the model
)

// Note is something that the reader of an answer should know of it. What its
// fields mean, and which are set, depends on the kind.
type Note struct {
	Kind    Kind
	Path    string // of a file as shown, of a folder, or a glob
	Words   []string
	Model   string
	Library string // the short name of a home
	Why     string // the cause, as the system or the model tells it
	PID     int
	For     time.Duration
	Count   int
	Done    int
	Total   int
	SoFar   bool // there may be documents that are not indexed yet
}

// Lines returns each note in words.
func Lines(notes []Note) []string {
	var lines []string
	for _, n := range notes {
		lines = append(lines, n.String())
	}
	return lines
}

// MarshalText returns the note in words, which are its form in JSON.
func (n Note) MarshalText() ([]byte, error) { return []byte(n.String()), nil }

// String returns the note in words, one line.
func (n Note) String() string {
	switch n.Kind {
	case QuestionRefused, ModelSlow, ModelFails, ModelChanged:
		return "Found by words only: " + n.noVector() + "."
	case NoPath:
		return n.noDocument() + " has a path like " + present.Name(n.Path) + "."
	case PathElsewhere:
		return "No document has the path " + present.Name(n.Path) + "; taken for " + present.Line(strings.Join(n.Words, ", ")) + "."
	case NoDocument:
		if n.SoFar {
			return "No document is indexed yet; ask again in a moment."
		}
		return "There is no document to search: the folder is empty, or its files are of kinds that are not read."
	case NotInThose:
		return fmt.Sprintf("The filter admits %s, in which nothing matches.", Count(n.Count, "document"))
	case NoTag, NoKey, NoValue, NoDate, NoneOfAll:
		return n.filtered()
	case UnknownWords:
		return "Nowhere in " + searched(n.SoFar) + ": " + strings.Join(n.Words, ", ") + "."
	case DatabaseAway, DatabaseRefuses, DatabaseSlow:
		return n.database()
	case RunFailed:
		return "The index may be out of date, the last run failed: " + n.Why + "."
	case BeingBuilt:
		return "The index is being built: " + Files(n.Done, n.Total) + " are done; ask again for a complete answer."
	case BeingScanned:
		return "The folder is still being scanned; ask again for a complete answer."
	case WasScanned:
		return "The folder was being scanned until now; ask again for a complete answer."
	case ProcessSilent, ProcessBehind:
		return "The index may be behind: " + n.process()
	case NotCompared:
		return "The index may be behind: it could not be compared with what was saved last in time."
	case NobodyIndexes:
		if len(n.Words) == 0 {
			return "The index may be behind: no server that sees the files runs now."
		}
		return "The index may be behind: no server that sees the files of " + present.Line(strings.Join(n.Words, ", ")) + " runs now."
	case FolderSilent:
		return fmt.Sprintf("The folder does not answer: nothing was heard from the drive or network of %s for %d seconds, this is from the index as it was before.", present.Name(n.Path), int(max(1, n.For.Seconds())))
	case FolderMissing:
		if n.Count == 0 {
			return sentence(n.Why) + ". Nothing of it is known yet."
		}
		return sentence(n.Why) + ". What is known of it is from before."
	case FolderStrayed:
		return fmt.Sprintf("%s, but these documents are those of %s: start vademecum again for the others.", n.Why, present.Name(n.Path))
	case FolderUnlike:
		return fmt.Sprintf("The folder %s is not indexed: %d of the %d documents of %s are no files of it. If it is to be what the library holds: %s.", present.Name(n.Path), n.Count, n.Total, n.Library, Replacing(n.Path))
	case Unwatched:
		return fmt.Sprintf("Changes may show only after %d seconds: not all of the folder is watched (%s).", int(n.For.Seconds()), n.Why)
	case AtIntervals:
		name := present.Name(n.Path)
		if n.Count > 0 {
			name += fmt.Sprintf(" (like %d other files)", n.Count)
		}
		return name + " changes all the time and is read at intervals: what was written to it last may be missing."
	case WithoutVector, VectorsRefused:
		return fmt.Sprintf("%d of %d passages %s and are found by their words only.", n.Count, n.Total, n.bare())
	}
	return string(n.Kind)
}

// noVector tells why a question has no vector.
func (n Note) noVector() string {
	switch n.Kind {
	case QuestionRefused:
		return fmt.Sprintf("the embedding model refuses the question (%s)", n.Why)
	case ModelSlow:
		return fmt.Sprintf("%s took longer than %s to answer", n.Model, n.For)
	case ModelChanged:
		return fmt.Sprintf("the vectors of %s have another length now, all passages are embedded anew", n.Model)
	}
	return fmt.Sprintf("the embedding model did not answer (%s)", n.Why)
}

// process tells what is the matter with the process that keeps the index up to
// date.
func (n Note) process() string {
	who := "another process"
	if n.PID != 0 {
		who = fmt.Sprintf("process %d", n.PID)
	}
	if n.Kind == ProcessBehind {
		return who + ", which keeps it up to date, has not taken up yet what changed in the folder."
	}
	return fmt.Sprintf("%s, which keeps it up to date, has not answered for %d s; it may be stopped.", who, int(n.For.Seconds()))
}

// database tells what is the matter with the database that keeps the index.
func (n Note) database() string {
	switch {
	case n.Kind == DatabaseSlow:
		return fmt.Sprintf("The database answers slowly (%d ms a statement, of which a question needs some ten): answers take long.", n.For.Milliseconds())
	case n.Kind == DatabaseRefuses:
		return "The database takes no changes now (" + n.Why + "): what was saved last may be missing."
	case n.Why != "":
		return "The database cannot be used now: " + n.Why + ". This is what was known before, and may be old."
	}
	return "The database cannot be reached now: this is what was known before, and may be old."
}

// bare tells why passages have no vector.
func (n Note) bare() string {
	switch {
	case n.Kind == VectorsRefused:
		return "are refused by the embedding model"
	case n.For > 0:
		return fmt.Sprintf("have no vector yet (about %s left)", n.For)
	case n.Why != "":
		return fmt.Sprintf("have no vector yet (%s)", n.Why)
	}
	return "have no vector yet"
}

// Replacing is the command that makes a library that of a folder.
func Replacing(folder string) string {
	return "vademecum index " + present.Name(folder) + " --replace, with the same --library"
}
