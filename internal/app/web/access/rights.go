package access

import (
	"log/slog"
	"sync/atomic"

	"vademecum/internal/app/web/reread"
	"vademecum/internal/base/message"
)

// Rights are the Rules that are in force: those that the server was started with,
// and those of a file, which is read again when it changes.
type Rights struct {
	folders []string
	fixed   []string
	file    string
	files   *reread.Files // nil without a file
	now     atomic.Pointer[Rules]

	// OnRead, unless it is nil, is called when the file was read again.
	OnRead func()
}

// OpenRights reads the rules, and those of a file unless it is "". With a file a
// folder of which no rule tells is for nobody: a line that is taken out, or lost,
// must not open it to all.
func OpenRights(folders, rules []string, file string, log *slog.Logger) (*Rights, error) {
	r := &Rights{folders: folders, fixed: rules, file: file}
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

// Rules are those in force now.
func (r *Rights) Rules() Rules {
	if r.files != nil {
		r.files.RereadIfChanged()
	}
	return *r.now.Load()
}

// CachedRules are those in force, without a look at the file.
func (r *Rights) CachedRules() Rules { return *r.now.Load() }

// Reread reads the file again, if there is one.
func (r *Rights) Reread() error {
	if r.files == nil {
		return nil
	}
	return r.files.Reread()
}

// readFile takes in the file as a whole or not at all: half of it may be more than
// somebody is to see.
func (r *Rights) readFile() error {
	text, _, err := reread.ReadList(r.file)
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
	if r.OnRead != nil {
		r.OnRead()
	}
	return nil
}
