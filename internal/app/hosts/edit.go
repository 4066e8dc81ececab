package hosts

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"vademecum/internal/base/message"
)

// Edit is a planned edit of a host's configuration file, which apply makes.
type Edit struct {
	File               string // path as the host opens it, which may be a symbolic link
	OriginalBackupFile string // copy of the file as it was before the first edit
	PreviousBackupFile string // copy of the file as it was before an entry was last replaced

	before, after []byte
	existed       bool
	replaces      bool // the file already has an entry of the name
	was           InstalledEntry
	keepsToken    bool   // the credentials of the entry, or the name of their variable, stay as they are
	made          bool   // this program has created the file
	restores      bool   // after is the content of the backup
	hadOther      bool   // the backup has an entry of the same name, which install has replaced
	folder        string // folder to remove if it becomes empty; "" for none
	last          bool   // no other entry of this program remains, so that PreviousBackupFile is useless afterwards
}

// EditRefusedError reports why a configuration file is not edited.
type EditRefusedError struct {
	File   string
	Reason message.Message
}

// Error returns the error in English.
func (r *EditRefusedError) Error() string { return r.Message().String() }

// Message returns the error as a message that can be translated.
func (r *EditRefusedError) Message() message.Message {
	return message.New("%s is not changed: %v", r.File, r.Reason)
}

// Suffixes that Edit.OriginalBackupFile and Edit.PreviousBackupFile add to the name of the file.
const (
	afterBackup   = ".before-vademecum"
	afterReplaced = ".replaced-by-vademecum"
)

// largest is the maximum size of a configuration file, in bytes. That of Claude Code contains the
// history of all projects and takes some MB.
const largest = 64 << 20

// PlanAddEdit plans the edit after which the host starts the server, or connects to its URL.
func (h Host) PlanAddEdit(m Machine, s Server) (Edit, error) {
	entry, err := h.newEntry(s)
	if err != nil {
		return Edit{}, err
	}
	e, err := h.readConfig(m)
	if err != nil {
		return e, err
	}
	if h.guard != nil {
		if why := h.guard(m); why != "" {
			return e, &EditRefusedError{e.File, why}
		}
	}
	if why := h.strictReadError(e.before); why != nil {
		return e, &EditRefusedError{e.File, message.FromError(why)}
	}
	if found, err := h.findEntry(e.before, s.EntryName); err == nil {
		if e.replaces = found != nil; e.replaces {
			e.was = parseInstalled(s.EntryName, found)
		}
		e.made = h.isOnlyDifference(nil, e.before, s.EntryName, found)
		kept := withoutForeignCredentials(found, s)
		e.keepsToken = hasCredential(kept) && !h.namesTokenVariable(s)
		switch {
		case s.TokenVariable == "":
		case e.keepsToken:
			s.TokenVariable = ""
			entry, err = h.newEntry(s)
		default:
			kept = withoutCredentials(kept)
		}
		entry = h.withUnknownFields(entry, kept)
		if err == nil && sameValues(found, entry) {
			e.after = e.before
			return e, nil
		}
	}
	e.after, err = h.fileWithEntry(e.before, s.EntryName, entry)
	return e, e.newRefusal(err)
}

// planRemoveEdit plans the edit that removes the entry with a name. If nothing else has changed
// since the first edit, it restores the original file, byte for byte.
func (h Host) planRemoveEdit(m Machine, name string) (Edit, error) {
	e, err := h.readConfig(m)
	if err != nil {
		return e, err
	}
	found, err := h.findEntry(e.before, name)
	if err != nil {
		return e, e.newRefusal(err)
	}
	e.after = e.before
	e.last = h.hasOnlyEntry(e.before, name)
	if found == nil {
		return e, nil
	}
	if backup, err := os.ReadFile(e.OriginalBackupFile); err == nil && h.isOnlyDifference(backup, e.before, name, found) {
		e.after, e.restores = backup, true
		return e, nil
	}
	if !exists(e.OriginalBackupFile) && h.isOnlyDifference(nil, e.before, name, found) {
		e.after, e.made = nil, true
		if dir := filepath.Dir(e.File); dir != filepath.Clean(m.HomeDir) && !isLink(dir) {
			e.folder = dir
		}
		return e, nil
	}
	if backup, err := os.ReadFile(e.OriginalBackupFile); err == nil {
		before, err := h.findEntry(backup, name)
		e.hadOther = err == nil && before != nil
	}
	e.after, err = h.fileWithEntry(e.before, name, nil)
	return e, e.newRefusal(err)
}

// hasOnlyEntry reports whether a file has no entry of this program other than the named one.
func (h Host) hasOnlyEntry(file []byte, name string) bool {
	text, _ := decode(file)
	v, err := h.format.parse(text)
	servers, _ := lookup(v, []string{h.key})
	return err == nil && !slices.ContainsFunc(ownEntries(servers, name), func(i InstalledEntry) bool { return i.Name != name })
}

// isOnlyDifference reports whether a file differs from an earlier version only by the entry found
// under a name.
func (h Host) isOnlyDifference(earlier, file []byte, name string, found map[string]any) bool {
	if before, err := h.findEntry(earlier, name); err != nil || before != nil {
		return false
	}
	for _, entry := range h.fieldOrders(found) {
		if made, err := h.fileWithEntry(earlier, name, entry); err == nil && bytes.Equal(made, file) {
			return true
		}
	}
	return false
}

// IsNewEntry reports whether the file has no entry of the name yet.
func (e Edit) IsNewEntry() bool { return !e.replaces }

// ReplacedEntry returns the entry that the edit replaces; the zero value if there is none.
func (e Edit) ReplacedEntry() InstalledEntry { return e.was }

// KeepsToken reports whether the edit leaves the credentials of the entry as they are.
func (e Edit) KeepsToken() bool { return e.keepsToken }

// BackupHasEntry reports whether the backup has an entry of the name, which then was there before
// this program made its first edit.
func (e Edit) BackupHasEntry() bool { return e.hadOther }

// RestoresOriginal reports whether the file becomes again what it was before the first edit.
func (e Edit) RestoresOriginal() bool { return e.restores }

// UselessBackups lists the backups that apply removes: that of the original file if the edit restores
// it, and that of the replaced entries if no entry of this program remains.
func (e Edit) UselessBackups() (files []string) {
	if e.restores {
		files = append(files, e.OriginalBackupFile)
	}
	if e.last && exists(e.PreviousBackupFile) {
		files = append(files, e.PreviousBackupFile)
	}
	return files
}

// HasChanges reports whether the edit changes anything.
func (e Edit) HasChanges() bool { return !bytes.Equal(e.before, e.after) }

// RemovesFile reports whether the edit removes the file, as nothing is left in it.
func (e Edit) RemovesFile() bool { return e.existed && e.after == nil }

// CreatesFile reports whether the file does not exist yet, so that the edit creates it.
func (e Edit) CreatesFile() bool { return !e.existed }

// Diff returns the edit as a unified diff without file names.
func (e Edit) Diff() string {
	all := string(diff.Diff(e.File, e.before, e.File, e.after))
	return all[max(0, strings.Index(all, "@@")):]
}

// readConfig reads the configuration file of a host, which need not exist, into an Edit that
// changes nothing.
func (h Host) readConfig(m Machine) (Edit, error) {
	e := Edit{File: h.ConfigFile(m)}
	e.OriginalBackupFile, e.PreviousBackupFile = e.File+afterBackup, e.File+afterReplaced
	info, err := os.Stat(e.File)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if target, err := os.Readlink(e.File); err == nil {
			return e, &EditRefusedError{e.File, message.New("it is a link to %s, which does not exist", target)}
		}
		return e, nil
	case err != nil:
		return e, err
	case !info.Mode().IsRegular():
		return e, &EditRefusedError{e.File, message.New("it is not a file")}
	case info.Size() > largest:
		return e, &EditRefusedError{e.File, message.New("it is larger than %d MB", largest>>20)}
	}
	e.existed = true
	if e.before, err = os.ReadFile(e.File); err == nil && isTooDeep(e.before) {
		err = &EditRefusedError{e.File, message.New("it is nested too deeply")}
	}
	return e, err
}

// deepest is the maximum nesting depth of brackets. Parsers recurse at each level, and the stack of
// a program is limited.
const deepest = 100_000

// isTooDeep reports whether brackets are nested too deeply. It counts brackets in strings as well,
// which hardly ever contain thousands.
func isTooDeep(raw []byte) bool {
	open := 0
	for _, c := range raw {
		switch c {
		case '[', '{':
			open++
		case ']', '}':
			open = max(0, open-1)
		}
		if open > deepest {
			return true
		}
	}
	return false
}

// newRefusal returns an error about the text of the file as one about the file; nil for nil.
func (e Edit) newRefusal(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errForm):
		return &EditRefusedError{e.File, message.FromError(err)}
	}
	return &EditRefusedError{e.File, message.New("it does not parse: %v", err)}
}

// findEntry returns the entry with a name in a file; nil if there is none.
func (h Host) findEntry(raw []byte, name string) (map[string]any, error) {
	text, _ := decode(raw)
	v, err := h.format.parse(text)
	if err != nil {
		return nil, err
	}
	found, _ := lookup(v, h.entryPath(name))
	entry, _ := found.(map[string]any)
	return entry, nil
}

// fileWithEntry returns the content of a file with the entry set or, if entry is nil, removed.
func (h Host) fileWithEntry(raw []byte, name string, entry configEntry) ([]byte, error) {
	text, e := decode(raw)
	if isBlank(text) && entry != nil {
		text = []byte(h.blank)
	}
	changed, err := h.textWithEntry(text, name, entry)
	if err != nil {
		return nil, err
	}
	return e.encode(changed), nil
}

// textWithEntry returns a text with the entry set or removed, and with the inputs for which the
// host has to ask the user.
func (h Host) textWithEntry(text []byte, name string, entry configEntry) ([]byte, error) {
	changed, err := editText(h.format, text, h.entryPath(name), entry)
	if err != nil || h.token.way != fromUser {
		return changed, err
	}
	asked, at := userInput(name, entry), []string{"inputs", inputID(name)}
	if v, err := h.format.parse(changed); err == nil && asked != nil {
		if _, there := lookup(v, at); there {
			return changed, nil // an input of the user that is worded differently is kept
		}
	}
	return editText(inputsFormat{}, changed, at, asked)
}

// apply makes the edit. Before, it writes the backups; when the last entry of the program is
// removed, it deletes PreviousBackupFile.
func (e Edit) apply() error {
	useless := e.UselessBackups()
	if err := e.writeFile(); err != nil {
		return err
	}
	for _, file := range useless {
		if err := os.Remove(file); err != nil {
			return err
		}
	}
	if !e.last || e.folder == "" {
		return nil
	}
	_ = os.Remove(e.folder) // fails if something else is in it
	return nil
}

func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

func (e Edit) writeFile() error {
	if !e.HasChanges() {
		return nil
	}
	file := e.File
	if e.existed {
		var err error
		if file, err = filepath.EvalSymlinks(e.File); err != nil {
			return err
		}
		if err := e.checkWritable(file); err != nil {
			return err
		}
	}
	if e.RemovesFile() {
		return os.Remove(file)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	if err := e.writeBackups(); err != nil {
		return err
	}
	return replaceFile(file, e.after, e.fileMode(file))
}

// writeBackups writes OriginalBackupFile unless it exists, and PreviousBackupFile if the edit replaces an entry.
// apply calls it as well.
func (e Edit) writeBackups() error {
	if e.replaces {
		if err := e.copyTo(e.PreviousBackupFile); err != nil {
			return err
		}
	}
	if !e.existed || e.made || exists(e.OriginalBackupFile) {
		return nil
	}
	return e.copyTo(e.OriginalBackupFile)
}

func (e Edit) copyTo(file string) error {
	if err := replaceFile(file, e.before, e.fileMode(e.File)); err != nil {
		return message.Errorf("the contents of %s cannot be saved: %v", e.File, err)
	}
	return nil
}

// checkWritable returns an error if a file has changed since it was read, or its owner has made it
// read-only, which a rename would ignore.
func (e Edit) checkWritable(file string) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	if err == nil {
		err = f.Close()
	}
	if errors.Is(err, fs.ErrPermission) || info.Mode().Perm()&0o200 == 0 {
		return &EditRefusedError{e.File, message.New("it is read-only")}
	}
	if err != nil {
		return err
	}
	now, err := os.ReadFile(file)
	if err == nil && !bytes.Equal(now, e.before) {
		return &EditRefusedError{e.File, message.New("another program has just changed it; try again")}
	}
	return err
}

// fileMode returns the mode of the file. A new file can be read only by its owner, as keys may be
// added to it later.
func (e Edit) fileMode(file string) fs.FileMode {
	if info, err := os.Stat(file); err == nil {
		return info.Mode().Perm()
	}
	return 0o600
}

// replaceFile writes a file atomically: it always has either the old or the new content.
func replaceFile(path string, content []byte, mode fs.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails after the rename
	_, err = f.Write(content)
	if err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
