package page

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"vademecum/index/notice"
	"vademecum/internal/app/hosts"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// entryView is the entry of the program in the configuration of a host on this machine, and how a
// click would change it.
type entryView struct {
	Problem message.Message // why the entry cannot be changed, or was not changed
	HasIt   bool            // the entry serves the same as this server
	IsMore  bool            // Add adds folders to an existing entry
	IsOther bool            // Add replaces an entry that starts something else
	Also    []string        // names of other entries of the program
	Add     *changeView     // nil if there is nothing to add
	Undo    *changeView     // nil if there is nothing to undo
	Missing []message.Message
	Did     string          // the last action: "add" or "undo"
	Next    message.Message // what the user has to do by hand afterwards
	IsInUse bool            // the host writes its configuration while it runs, and may overwrite the change
}

// changeView is a change of a host's configuration, which is shown before it is made.
type changeView struct {
	hosts.ConfigChange
	Do    string // what the form does: doAdd or doUndo
	Key   string // proves, when the form is sent, that the change was shown
	Lines []diffLine
}

// diffLine is a line of a diff: unchanged, added or removed.
type diffLine struct {
	Text        string
	IsIn, IsOut bool
}

// Values of changeView.Do.
const (
	doAdd  = "add"
	doUndo = "undo"
)

// failedChange is a change of a host's configuration that was not made, and the reason.
type failedChange struct {
	host string
	why  message.Message
}

// mayChangeHosts reports whether the page may change the configurations of hosts. These may contain
// secrets, so the visitor must be known to be the user of this machine, who owns them.
func (v *request) mayChangeHosts() bool {
	return v.isOwner() && v.o.Machine != nil && v.o.LocalServer.Program != ""
}

// entryOf describes the entry in the configuration of a host; nil if programs cannot edit that
// configuration.
func (v *request) entryOf(h hosts.Host, failed failedChange) *entryView {
	if h.ConfigFile(*v.o.Machine) == "" {
		return nil
	}
	e := &entryView{IsInUse: h.RewritesConfig, Next: cmp.Or(h.ReloadInstructions, message.New("restart %s", h.Title))}
	add, undo, err := v.planChanges(h, e)
	if err != nil {
		e.Problem, add, undo = notice.ErrorLine(err), hosts.ConfigChange{}, hosts.ConfigChange{}
	}
	if failed.host == h.ID {
		e.Problem = failed.why
	}
	if add.Edit.HasChanges() {
		e.Add = v.changeView(doAdd, h, add)
	}
	if undo.Edit.HasChanges() {
		e.Undo = v.changeView(doUndo, h, undo)
	}
	if v.o.MissingKeys != nil && e.HasIt {
		e.Missing = v.o.MissingKeys(h)
	}
	q := v.r.URL.Query()
	if did := q.Get("did"); q.Get("host") == h.ID && (did == doAdd && e.HasIt || did == doUndo && !e.HasIt) {
		e.Did = did
	}
	return e
}

// planChanges returns the change that makes a host use this server and the change that undoes it.
// It fills e with the entries that the host has now.
func (v *request) planChanges(h hosts.Host, e *entryView) (add, undo hosts.ConfigChange, err error) {
	s, m := v.server(), *v.o.Machine
	entries, err := h.EntriesOfThisProgram(m, s.EntryName)
	if err != nil {
		return add, undo, err
	}
	elsewhere, _ := h.EntriesInPlugins(m, s.EntryName) // entries in plugins are not edited
	for _, entry := range slices.Concat(entries, elsewhere) {
		if entry.Name != s.EntryName {
			e.Also = append(e.Also, present.CleanLine(entry.Name))
			continue
		}
		if merged := v.merged(entry, s.Args); merged != nil {
			e.IsMore, s.Args = true, merged
		}
	}
	if add, err = h.PlanAdd(m, s); err != nil {
		return add, undo, err
	}
	e.HasIt = !add.Edit.HasChanges()
	e.IsMore = e.IsMore && !e.HasIt
	e.IsOther = !add.Edit.IsNewEntry() && !e.IsMore && !e.HasIt
	if !e.HasIt {
		return add, undo, nil
	}
	if undo, err = h.PlanRestore(m, s.EntryName); err == nil && !undo.Edit.HasChanges() {
		undo, err = h.PlanRemove(m, s.EntryName)
	}
	return add, undo, err
}

func (v *request) merged(entry hosts.InstalledEntry, args []string) []string {
	if v.o.MergeEntry == nil {
		return nil
	}
	return v.o.MergeEntry(entry, args)
}

// Limits of a diff that is shown.
const (
	mostDiffLines   = 200
	longestDiffLine = 300 // characters
)

func (v *request) changeView(do string, h hosts.Host, c hosts.ConfigChange) *changeView {
	shown := &changeView{ConfigChange: c, Do: do, Key: v.keyOf(do, h, c)}
	for line := range strings.Lines(c.Edit.Diff()) {
		if len(shown.Lines) == mostDiffLines {
			shown.Lines = append(shown.Lines, diffLine{Text: "…"})
			break
		}
		text := present.CleanBlock(shortened(strings.TrimRight(line, "\r\n"), longestDiffLine))
		shown.Lines = append(shown.Lines, diffLine{text, strings.HasPrefix(line, "+"), strings.HasPrefix(line, "-")})
	}
	return shown
}

// keyOf returns the proof that a page of this server has shown a change: only a change that was
// shown can be made.
func (v *request) keyOf(do string, h hosts.Host, c hosts.ConfigChange) string {
	mac := hmac.New(sha256.New, v.secret)
	_, _ = mac.Write([]byte(do + " " + h.ID + " ")) // never fails
	_, _ = mac.Write(c.Checksum())
	return hex.EncodeToString(mac.Sum(nil))
}

// changeHost makes a change that the page has shown, in the way of the commands install and
// uninstall.
func (v *request) changeHost() {
	if !v.mayChangeHosts() {
		v.fail(http.StatusForbidden, message.New("an AI program is changed only by the page of a server that you have started on your own machine: elsewhere vademecum install does it"))
		return
	}
	at := slices.IndexFunc(hosts.KnownHosts, func(h hosts.Host) bool { return h.ID == v.r.PostFormValue("host") })
	do := v.r.PostFormValue("do")
	if at < 0 || hosts.KnownHosts[at].ConfigFile(*v.o.Machine) == "" || do != doAdd && do != doUndo {
		v.fail(http.StatusBadRequest, message.New("there is no such AI program"))
		return
	}
	h := hosts.KnownHosts[at]
	v.changing.Lock()
	defer v.changing.Unlock()
	if status, why := v.makeChange(h, do); why != "" {
		v.showHosts(status, failedChange{h.ID, why})
		return
	}
	http.Redirect(v.w, v.r, "/add?"+url.Values{"host": {h.ID}, "did": {do}}.Encode()+"#host-"+h.ID, http.StatusSeeOther)
}

// makeChange makes a change of a host's configuration, unless it is no longer the one that was
// shown. If the change is made already, for example after a second click, that is no error.
func (v *request) makeChange(h hosts.Host, do string) (status int, why message.Message) {
	add, undo, err := v.planChanges(h, new(entryView))
	change := add
	if do == doUndo {
		change = undo
	}
	switch {
	case err != nil:
		return http.StatusConflict, notice.ErrorLine(err)
	case !change.Edit.HasChanges():
		return 0, ""
	case !hmac.Equal([]byte(v.r.PostFormValue("key")), []byte(v.keyOf(do, h, change))):
		return http.StatusConflict, message.New("nothing was changed, because this is no longer what the page showed: check it again")
	}
	failed, err := change.Apply(v.r.Context())
	if failed != nil {
		v.o.Logger.Warn("a command of a host failed", "host", h.ID, "error", failed)
	}
	if err != nil {
		v.o.Logger.Warn("a host was not changed", "host", h.ID, "error", err)
		return http.StatusConflict, notice.ErrorLine(err)
	}
	v.audit(do+" host")(0, h.ID)
	return 0, ""
}
