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
	Problem message.Message // why nothing can be changed, or was not changed
	HasIt   bool            // the entry serves the same as this server
	IsMore  bool            // Add adds folders to an entry
	IsOther bool            // Add replaces an entry for something else
	Also    []string        // other entries of the program
	Add     *changeView     // nil if there is nothing to add
	Undo    *changeView     // nil if there is nothing to undo
	Missing []message.Message
	Did     string          // the last action: "add" or "undo"
	Next    message.Message // what the user still has to do by hand
	IsInUse bool            // the host may overwrite the change
}

// changeView is a change, shown before it is made.
type changeView struct {
	hosts.Change
	Do    string // action in the form
	Key   string // proves in the form that the change was shown
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

// failedChange reports why a change of a host was not made.
type failedChange struct {
	host string
	why  message.Message
}

// mayChangeHosts reports whether the page may change the configurations of hosts. They may contain
// secrets, so the visitor must be known to be their owner, the user of this machine.
func (v *request) mayChangeHosts() bool {
	return v.isOwner() && v.o.Machine != nil && v.o.Program.Program != ""
}

// entryOf describes the entry in the configuration of a host; nil if programs may not edit that.
func (v *request) entryOf(h hosts.Host, failed failedChange) *entryView {
	if h.ConfigFile(*v.o.Machine) == "" {
		return nil
	}
	e := &entryView{IsInUse: h.RewritesConfig, Next: cmp.Or(h.ReloadInstructions, message.New("restart %s", h.Title))}
	add, undo, err := v.planChanges(h, e)
	if err != nil {
		e.Problem, add, undo = notice.ErrorLine(err), hosts.Change{}, hosts.Change{}
	}
	if failed.host == h.Name {
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
	if did := q.Get("did"); q.Get("host") == h.Name && (did == doAdd && e.HasIt || did == doUndo && !e.HasIt) {
		e.Did = did
	}
	return e
}

// planChanges plans the change that makes a host use this server and the change that undoes it, and
// reads the host's current entries into e.
func (v *request) planChanges(h hosts.Host, e *entryView) (add, undo hosts.Change, err error) {
	s, m := v.server(), *v.o.Machine
	entries, err := h.InstalledEntries(m, s.Name)
	if err != nil {
		return add, undo, err
	}
	elsewhere, _ := h.EntriesInPlugins(m, s.Name) // these are not edited
	for _, entry := range slices.Concat(entries, elsewhere) {
		if entry.Name != s.Name {
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
	if undo, err = h.PlanRestore(m, s.Name); err == nil && !undo.Edit.HasChanges() {
		undo, err = h.PlanRemove(m, s.Name)
	}
	return add, undo, err
}

func (v *request) merged(entry hosts.InstalledEntry, args []string) []string {
	if v.o.MergeEntry == nil {
		return nil
	}
	return v.o.MergeEntry(entry, args)
}

// Limits of a diff.
const (
	mostDiffLines   = 200
	longestDiffLine = 300 // characters
)

func (v *request) changeView(do string, h hosts.Host, c hosts.Change) *changeView {
	shown := &changeView{Change: c, Do: do, Key: v.keyOf(do, h, c)}
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

// keyOf returns the proof that a page of this server has shown a change. Only a change that was
// shown can be made.
func (v *request) keyOf(do string, h hosts.Host, c hosts.Change) string {
	mac := hmac.New(sha256.New, v.secret)
	_, _ = mac.Write([]byte(do + " " + h.Name + " ")) // never fails
	_, _ = mac.Write(c.Checksum())
	return hex.EncodeToString(mac.Sum(nil))
}

// changeHost makes a change that the page has shown, in the same way as install and uninstall.
func (v *request) changeHost() {
	if !v.mayChangeHosts() {
		v.fail(http.StatusForbidden, message.New("an AI program is changed only by the page of a server that you have started on your own machine: elsewhere vademecum install does it"))
		return
	}
	at := slices.IndexFunc(hosts.KnownHosts, func(h hosts.Host) bool { return h.Name == v.r.PostFormValue("host") })
	do := v.r.PostFormValue("do")
	if at < 0 || hosts.KnownHosts[at].ConfigFile(*v.o.Machine) == "" || do != doAdd && do != doUndo {
		v.fail(http.StatusBadRequest, message.New("there is no such AI program"))
		return
	}
	h := hosts.KnownHosts[at]
	v.changing.Lock()
	defer v.changing.Unlock()
	if status, why := v.makeChange(h, do); why != "" {
		v.showHosts(status, failedChange{h.Name, why})
		return
	}
	http.Redirect(v.w, v.r, "/add?"+url.Values{"host": {h.Name}, "did": {do}}.Encode()+"#host-"+h.Name, http.StatusSeeOther)
}

// makeChange makes a change of a host, unless it differs from the one that was shown. A change that
// is already made, for example by a second click, is not an error.
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
		return http.StatusConflict, message.New("nothing was changed, as this is no longer what the page showed: look at it once more")
	}
	failed, err := change.Apply(v.r.Context())
	if failed != nil {
		v.o.Logger.Warn("a command of a host failed", "host", h.Name, "error", failed)
	}
	if err != nil {
		v.o.Logger.Warn("a host was not changed", "host", h.Name, "error", err)
		return http.StatusConflict, notice.ErrorLine(err)
	}
	v.audit(do+" host")(0, h.Name)
	return 0, ""
}
