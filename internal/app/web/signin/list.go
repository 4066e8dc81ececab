package signin

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"vademecum/internal/app/web/reread"
	"vademecum/internal/base/message"
)

// Commands that edit a token file. Lines are appended, or overwritten with comments in place. So it
// stays the same file, with its owner, its permissions and everything that others wrote, even if
// only the file itself is mounted into a container; and a server that reads it meanwhile never sees
// half of it.

// ReadTokenEntries returns the entries in a token file, and an error for each of its lines that is not
// valid.
func ReadTokenEntries(file string) (all []TokenEntry, lineErrors []error, err error) {
	text, _, err := reread.ReadFile(file)
	if err != nil {
		return nil, nil, err
	}
	lines, err := parseWholeFile(text)
	if err != nil {
		return nil, nil, message.Errorf("read %s: %v", file, err)
	}
	for _, l := range lines {
		if l.wrong != nil {
			lineErrors = append(lineErrors, message.Errorf("line %d: %v", l.number, l.wrong))
			continue
		}
		all = append(all, l.entry)
	}
	return all, lineErrors, nil
}

// Append appends the entry to a token file. A new file can be read only by its owner.
func (e TokenEntry) Append(file string) error {
	f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	line := e.String() + "\n"
	if last := make([]byte, 1); lacksFinalNewline(f, last) {
		line = "\n" + line
	}
	_, err = f.WriteString(line)
	return errors.Join(err, f.Sync(), f.Close())
}

// lacksFinalNewline reports whether the last line of a file does not end with a line feed. last is
// a buffer of one byte.
func lacksFinalNewline(f *os.File, last []byte) bool {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return false
	}
	_, err = f.ReadAt(last, info.Size()-1)
	return err == nil && last[0] != '\n'
}

// RevokeTokens turns the lines of these entries in a token file into comments.
func RevokeTokens(file string, entries []TokenEntry) error {
	f, err := os.OpenFile(file, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return errors.Join(err, f.Close())
	}
	text, err := io.ReadAll(io.LimitReader(f, reread.MaxFileBytes))
	if err != nil {
		return errors.Join(err, f.Close())
	}
	for _, l := range parseLines(string(text)) {
		for _, e := range entries {
			if l.wrong == nil && l.entry.Hash == e.Hash {
				err = errors.Join(err, l.commentOut(f))
			}
		}
	}
	err = errors.Join(err, f.Sync(), f.Close())
	setTimeAfter(file, info.ModTime())
	return errors.Join(err, checkRevoked(file, entries))
}

// setTimeAfter gives a file a modification time after than. Servers could otherwise miss the
// change: the size stays the same, and some file systems have a resolution of seconds.
func setTimeAfter(file string, than time.Time) {
	if info, err := os.Stat(file); err == nil && !info.ModTime().After(than) {
		_ = os.Chtimes(file, time.Time{}, than.Add(2*time.Second)) // only the owner may do this
	}
}

// commentOut overwrites the line with a comment of the same length that does not contain the hash.
func (l listLine) commentOut(f *os.File) error {
	comment := fmt.Sprintf("# %s %s revoked %s", l.entry.Name, l.entry.ID(), time.Now().Format(time.DateOnly))
	comment += strings.Repeat(" ", len(l.text)-len(comment))
	now := make([]byte, len(l.text))
	if _, err := f.ReadAt(now, int64(l.at)); err != nil || string(now) != l.text {
		return errors.Join(message.Errorf("the file was changed meanwhile"), err)
	}
	_, err := f.WriteAt([]byte(comment), int64(l.at))
	return err
}

// checkRevoked returns an error if a token file still contains one of the entries, as the file may
// have been replaced meanwhile.
func checkRevoked(file string, entries []TokenEntry) error {
	text, _, err := reread.ReadFile(file)
	if err != nil {
		return err
	}
	for _, l := range parseLines(string(text)) {
		for _, e := range entries {
			if l.wrong == nil && l.entry.Hash == e.Hash {
				return message.Errorf("line %d of %s still has the token: the file was changed meanwhile", l.number, file)
			}
		}
	}
	return nil
}
