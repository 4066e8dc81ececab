package hosts

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"vademecum/internal/base/present"
)

// ConfigChange adds a server to the configuration of a host, or removes it. It runs a command of the host
// itself if there is one, as the host may be writing its configuration at the same time, and edits
// the file for what the command leaves.
type ConfigChange struct {
	Edit    Edit
	Command []string // command line of the host; nil if it has no such command or is not installed
	plan    func() (Edit, error)
}

// PlanAdd plans the change that adds the server to the host's configuration.
func (h Host) PlanAdd(m Machine, s Server) (ConfigChange, error) {
	c := ConfigChange{plan: func() (Edit, error) { return h.PlanAddEdit(m, s) }}
	var err error
	if c.Edit, err = c.plan(); err == nil && c.Edit.IsNewEntry() { // the command would discard other settings of an existing entry
		add, _ := h.OwnCommands(s)
		c.Command = m.resolveProgram(add)
	}
	return c, err
}

// PlanRemove plans the change that removes an entry from the host's configuration.
func (h Host) PlanRemove(m Machine, name string) (ConfigChange, error) {
	c := ConfigChange{plan: func() (Edit, error) { return h.planRemoveEdit(m, name) }}
	var err error
	if c.Edit, err = c.plan(); err == nil {
		_, remove := h.OwnCommands(Server{EntryName: name})
		c.Command = m.resolveProgram(remove)
	}
	return c, err
}

// PlanRestore plans the change that restores an entry to what it was before it was last replaced.
// If it was never replaced, the change is empty.
func (h Host) PlanRestore(m Machine, name string) (ConfigChange, error) {
	plan := func() (Edit, error) { return h.planRestore(m, name) }
	edit, err := plan()
	return ConfigChange{Edit: edit, plan: plan}, err
}

func (h Host) planRestore(m Machine, name string) (Edit, error) {
	e, err := h.readConfig(m)
	if err != nil {
		return e, err
	}
	e.after = e.before
	now, err := h.findEntry(e.before, name)
	if err != nil {
		return e, e.newRefusal(err)
	}
	replaced, err := os.ReadFile(e.PreviousBackupFile)
	if err != nil || now == nil {
		return e, nil
	}
	was, err := h.findEntry(replaced, name)
	if err != nil || was == nil {
		return e, nil
	}
	for _, entry := range h.fieldOrders(now) {
		if made, err := h.fileWithEntry(replaced, name, entry); err == nil && bytes.Equal(made, e.before) {
			e.after = replaced // the entry is all that has changed since
			return e, nil
		}
	}
	entry := h.fieldOrders(was)[0]
	if sameValues(now, entry) {
		return e, nil
	}
	e.after, err = h.fileWithEntry(e.before, name, entry)
	return e, e.newRefusal(err)
}

// Checksum returns a checksum that identifies the change.
func (c ConfigChange) Checksum() []byte {
	sum := sha256.New()
	for _, part := range [][]byte{[]byte(c.Edit.File), c.Edit.before, c.Edit.after, []byte(strings.Join(c.Command, "\x00"))} {
		fmt.Fprintf(sum, "%d %t\n%s", len(part), part == nil, part)
	}
	return sum.Sum(nil)
}

// ownCommandLimit is the time limit for a host's own command.
const ownCommandLimit = 30 * time.Second

// CommandError reports that a host's own command failed. The file is edited nevertheless.
type CommandError struct {
	Command string
	Err     error
	Output  string
}

// Error returns the error in English.
func (e *CommandError) Error() string {
	return fmt.Sprintf("%s failed (%v): %s", e.Command, e.Err, e.Output)
}

// Apply makes the change. failed is the error of the host's own command, or nil; err is that of
// editing the file.
func (c ConfigChange) Apply(ctx context.Context) (failed *CommandError, err error) {
	edit := c.Edit
	if c.Command != nil && edit.HasChanges() {
		if err := edit.writeBackups(); err != nil {
			return nil, err
		}
		failed = runCommand(ctx, c.Command)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if edit, err = c.plan(); err != nil {
			return failed, err
		}
	}
	return failed, edit.apply()
}

func runCommand(ctx context.Context, line []string) *CommandError {
	ctx, cancel := context.WithTimeout(ctx, ownCommandLimit)
	defer cancel()
	said, err := exec.CommandContext(ctx, line[0], line[1:]...).CombinedOutput()
	if err == nil {
		return nil
	}
	return &CommandError{strings.Join(line[:min(3, len(line))], " "), err, present.CleanLine(strings.TrimSpace(string(said)))}
}

// resolveProgram returns a command line in which the program is replaced by its path; nil if the
// program is not found.
func (m Machine) resolveProgram(line []string) []string {
	if line == nil {
		return nil
	}
	path := m.FindCommand(line[0])
	if path == "" {
		return nil
	}
	return append([]string{path}, line[1:]...)
}
