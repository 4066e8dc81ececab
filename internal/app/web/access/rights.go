package access

import (
	"log/slog"
	"sync/atomic"

	"vademecum/internal/app/web/reread"
	"vademecum/internal/base/message"
)

// RuleStore holds the Rules in force: those that the server was started with, and those in a file,
// which is read again when it changes.
type RuleStore struct {
	folders []string
	fixed   []string
	file    string
	files   *reread.Files // nil if there is no file
	now     atomic.Pointer[Rules]

	// OnReload, if not nil, is called after the file was read again.
	OnReload func()
}

// OpenRuleStore parses rules, and those in a file unless file is "". With a file, a folder without a
// rule is closed to all users, so that the loss of a line in it does not open the folder to
// everyone.
func OpenRuleStore(folders, rules []string, file string, log *slog.Logger) (*RuleStore, error) {
	r := &RuleStore{folders: folders, fixed: rules, file: file}
	parsed, err := Parse(folders, rules)
	if err != nil {
		return nil, err
	}
	r.now.Store(&parsed)
	if file == "" {
		return r, nil
	}
	r.files, err = reread.Open(log, "the file of rights", r.readFile, file)
	return r, err
}

// Rules returns the rules in force, after reading the file again if it has changed.
func (r *RuleStore) Rules() Rules {
	if r.files != nil {
		r.files.ReloadIfChanged()
	}
	return *r.now.Load()
}

// CachedRules returns the rules as last read, without looking whether the file has changed.
func (r *RuleStore) CachedRules() Rules { return *r.now.Load() }

// Reload reads the file again, if there is one.
func (r *RuleStore) Reload() error {
	if r.files == nil {
		return nil
	}
	return r.files.Reload()
}

// readFile adopts all rules in the file or, if one is invalid, none: some of them alone may permit
// more than intended.
func (r *RuleStore) readFile() error {
	text, _, err := reread.ReadFile(r.file)
	if err != nil {
		return err
	}
	rules, err := Parse(r.folders, r.fixed)
	if err != nil {
		return err
	}
	rules.closed = true
	if err := rules.addRuleLines(string(text)); err != nil {
		return message.Errorf("%s: %v", r.file, err)
	}
	r.now.Store(&rules)
	if r.OnReload != nil {
		r.OnReload()
	}
	return nil
}
