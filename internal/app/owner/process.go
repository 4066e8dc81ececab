package owner

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"vademecum/internal/base/message"
	"vademecum/internal/base/system"
)

// Role is the part that a process has among those that serve folders on this machine.
type Role string

// The roles.
const (
	RoleOwner      Role = "owner"     // holds the index, for others with the same settings too
	RoleConnected  Role = "connected" // holds no index, and asks the owner
	RoleStandalone Role = "alone"     // holds an index that no other process can use
)

// Process is the description of a process that serves folders, for other processes of the same user.
type Process struct {
	PID      int       `json:"pid"`
	Host     string    `json:"host,omitempty"` // name of the machine, because several may share a cache folder
	Since    time.Time `json:"since"`          // when it got its role
	Role     Role      `json:"role"`
	Settings Settings  `json:"settings"`
	Reason   string    `json:"reason,omitempty"` // why it serves alone, in the stored form of messages
}

// Settings holds everything by which two processes may serve differently.
type Settings struct {
	Version   string   `json:"version"`
	Build     string   `json:"build,omitempty"` // identifies the build, because programs of one version may differ
	Folders   []string `json:"folders"`
	Flags     []string `json:"flags,omitempty"`     // name=value, or name=checksum in a published description
	Variables []string `json:"variables,omitempty"` // environment variables, in the form of Flags
}

// key identifies the group of processes with the same settings.
func (s Settings) key() string {
	text, _ := json.Marshal(s) // strings can always be encoded
	return checksum(string(text))
}

// describe returns the settings without the values of flags and variables, which may be secret.
func (s Settings) describe() Settings {
	s.Flags, s.Variables = withoutValues(s.Flags), withoutValues(s.Variables)
	return s
}

func withoutValues(settings []string) []string {
	all := slices.Clone(settings)
	for i, setting := range all {
		name, value, _ := strings.Cut(setting, "=")
		all[i] = name + "=" + checksum(value)[:8]
	}
	return all
}

// Difference names the settings by which two processes differ.
func (s Settings) Difference(other Settings) message.Message {
	var all []message.Message
	if s.Version != other.Version {
		all = append(all, message.New("version %s", s.Version))
	} else if s.Build != other.Build {
		all = append(all, message.New("another build of version %s", s.Version))
	}
	if !slices.Equal(s.Folders, other.Folders) {
		all = append(all, message.New("its folders"))
	}
	for _, name := range differentNames(s.Flags, other.Flags) {
		all = append(all, message.Message("--"+name))
	}
	for _, name := range differentNames(s.Variables, other.Variables) {
		all = append(all, message.Message(name))
	}
	return message.Join(all...)
}

// differentNames returns the names that only one of two lists has, or that have different values.
func differentNames(a, b []string) (names []string) {
	for _, setting := range slices.Concat(a, b) {
		if slices.Contains(a, setting) != slices.Contains(b, setting) {
			name, _, _ := strings.Cut(setting, "=")
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// GroupID returns the identifier of the group of processes with the same settings.
func (p Process) GroupID() string { return p.Settings.key() }

// Registration is the published description of this process. A nil Registration has no effect.
type Registration struct {
	lock *flock.Flock // held while the process lives; the system releases it in any case
	file string

	mu      sync.Mutex
	process Process
	isEnded bool
}

// The description of a process is beside the lock that shows that the process lives: on Windows a
// locked file cannot be read.
const (
	processPrefix = "process-"
	processSuffix = ".json"
	lockSuffix    = ".lock"
)

// Register publishes a description of this process for other processes. dir is the cache folder of the
// program. If that is impossible, it returns nil, and the others do not know of this process.
func Register(dir string, s Settings, role Role, reason message.Message) *Registration {
	dir = filepath.Join(dir, serversFolder)
	if makePrivate(dir) != nil {
		return nil
	}
	path := filepath.Join(dir, processPrefix+rand.Text())
	lock := flock.New(path + lockSuffix)
	if isLocked, err := lock.TryLock(); !isLocked || err != nil {
		return nil
	}
	host, _ := os.Hostname() // then the process is taken for one of this machine
	r := &Registration{lock: lock, file: path + processSuffix, process: Process{PID: os.Getpid(), Host: host, Settings: s.describe()}}
	r.SetRole(role, reason)
	return r
}

// SetRole publishes the role of the process, and the reason if it serves alone.
func (r *Registration) SetRole(role Role, reason message.Message) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.isEnded {
		return
	}
	r.process.Role, r.process.Since, r.process.Reason = role, time.Now(), string(reason)
	text, _ := json.Marshal(r.process)
	next := r.file + ".new"
	if os.WriteFile(next, text, 0o600) == nil {
		_ = os.Rename(next, r.file) // no reader sees half of it
	}
}

// End removes the description.
func (r *Registration) End() {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.isEnded = true
	_ = os.Remove(r.file)
	_ = r.lock.Close()
	_ = os.Remove(r.lock.Path())
}

// Processes returns the processes that serve a folder and use the cache folder dir. It deletes the
// descriptions of processes that have ended. An owner that was stopped and replaced does not know that
// yet, so it is returned with the role Standalone.
func Processes(dir, folder string) []Process {
	var all []Process
	for _, file := range descriptions(filepath.Join(dir, serversFolder)) {
		p, ok := readProcess(file)
		if ok && slices.Contains(p.Settings.Folders, folder) {
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(a, b Process) int { return cmp.Or(b.Since.Compare(a.Since), a.PID-b.PID) })
	owned := make(map[string]bool)
	for i, p := range all {
		if p.Role == RoleOwner && owned[p.GroupID()] {
			all[i].Role, all[i].Reason = RoleStandalone, string(ReplacedReason)
		} else if p.Role == RoleOwner {
			owned[p.GroupID()] = true
		}
	}
	slices.Reverse(all)
	return all
}

// ReplacedReason is the reason why a former owner serves alone: another process has replaced it.
var ReplacedReason = message.New("it was stopped for some time, and another process has taken its place")

// descriptions returns the files that describe processes.
func descriptions(dir string) []string {
	files, _ := filepath.Glob(filepath.Join(dir, processPrefix+"*"+processSuffix)) // the pattern is right
	return files
}

// readProcess reads a description. ok is false if the process has ended.
func readProcess(file string) (p Process, ok bool) {
	lock := system.NewFileLock(strings.TrimSuffix(file, processSuffix) + lockSuffix)
	switch isFree, err := lock.TryLock(); {
	case err != nil:
		return Process{}, false
	case isFree:
		_ = os.Remove(file)
		_ = lock.Close()
		_ = os.Remove(lock.Path())
		return Process{}, false
	}
	text, err := os.ReadFile(file)
	return p, err == nil && json.Unmarshal(text, &p) == nil
}
