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

// Role is what a process that serves folders does for other processes.
type Role string

// Roles of processes.
const (
	RoleOwner      Role = "owner"     // holds the index for itself and for others with the same settings
	RoleConnected  Role = "connected" // holds no index, and passes the requests of its host to the owner
	RoleStandalone Role = "alone"     // holds an index for itself alone
)

// ServingProcess is what a process that serves folders tells the user's other processes about itself.
type ServingProcess struct {
	PID              int       `json:"pid"`
	MachineName      string    `json:"host,omitempty"` // name of the machine, as several may share a cache folder
	RoleSince        time.Time `json:"since"`          // when the process got its role
	Role             Role      `json:"role"`
	Settings         Settings  `json:"settings"`
	StandaloneReason string    `json:"reason,omitempty"` // why it serves alone, in the stored form of messages
}

// Settings are what determines the answers of a process: processes whose settings are equal can
// share an index.
type Settings struct {
	Version     string   `json:"version"`
	BuildID     string   `json:"build,omitempty"` // identifies the build of the program, as builds of one version may differ
	Folders     []string `json:"folders"`
	Flags       []string `json:"flags,omitempty"`     // each as name=value; in a published description as name=checksum
	Environment []string `json:"variables,omitempty"` // environment variables, in the same form
}

// key returns a checksum of the settings, which identifies the group of processes that have them.
func (s Settings) key() string {
	text, _ := json.Marshal(s) // strings can always be encoded
	return checksum(string(text))
}

// describe returns the settings without the values of flags and variables, which may be secret.
func (s Settings) describe() Settings {
	s.Flags, s.Environment = withoutValues(s.Flags), withoutValues(s.Environment)
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

// Difference names the settings that differ between two processes.
func (s Settings) Difference(other Settings) message.Message {
	var all []message.Message
	if s.Version != other.Version {
		all = append(all, message.New("version %s", s.Version))
	} else if s.BuildID != other.BuildID {
		all = append(all, message.New("another build of version %s", s.Version))
	}
	if !slices.Equal(s.Folders, other.Folders) {
		all = append(all, message.New("its folders"))
	}
	for _, name := range differentNames(s.Flags, other.Flags) {
		all = append(all, message.Message("--"+name))
	}
	for _, name := range differentNames(s.Environment, other.Environment) {
		all = append(all, message.Message(name))
	}
	return message.Join(all...)
}

// differentNames returns the names that are in only one of two lists, or whose values differ.
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

// SettingsChecksum returns a checksum of the settings, which is equal for processes with equal settings.
func (p ServingProcess) SettingsChecksum() string { return p.Settings.key() }

// Registration is the description of this process that other processes can read. The methods of a
// nil Registration do nothing.
type Registration struct {
	lock *flock.Flock // held while the process lives; the system releases it in any case
	file string

	mu      sync.Mutex
	process ServingProcess
	isEnded bool
}

// The description of a process is in a file beside the lock that shows that the process is running:
// on Windows a locked file cannot be read.
const (
	processPrefix = "process-"
	processSuffix = ".json"
	lockSuffix    = ".lock"
)

// Register publishes a description of this process for other processes. If that is impossible, it
// returns nil, and other processes do not know of this one.
func Register(cacheDir string, s Settings, role Role, reason message.Message) *Registration {
	cacheDir = filepath.Join(cacheDir, serversFolder)
	if makePrivate(cacheDir) != nil {
		return nil
	}
	path := filepath.Join(cacheDir, processPrefix+rand.Text())
	lock := flock.New(path + lockSuffix)
	if isLocked, err := lock.TryLock(); !isLocked || err != nil {
		return nil
	}
	host, _ := os.Hostname() // without a name the process counts as one of this machine
	r := &Registration{lock: lock, file: path + processSuffix, process: ServingProcess{PID: os.Getpid(), MachineName: host, Settings: s.describe()}}
	r.SetRole(role, reason)
	return r
}

// SetRole publishes the role of this process and, if it serves alone, the reason.
func (r *Registration) SetRole(role Role, reason message.Message) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.isEnded {
		return
	}
	r.process.Role, r.process.RoleSince, r.process.StandaloneReason = role, time.Now(), string(reason)
	text, _ := json.Marshal(r.process)
	next := r.file + ".new"
	if os.WriteFile(next, text, 0o600) == nil {
		_ = os.Rename(next, r.file) // a rename, so that no process reads half of the description
	}
}

// End removes the description of this process.
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

// Processes returns the processes of this user that serve a folder, according to their descriptions
// in the cache folder. It deletes the descriptions of processes that have ended. A former owner
// that was stopped, and does not know yet that it was replaced, is returned with the role
// RoleStandalone.
func Processes(cacheDir, folder string) []ServingProcess {
	var all []ServingProcess
	for _, file := range descriptions(filepath.Join(cacheDir, serversFolder)) {
		p, ok := readProcess(file)
		if ok && slices.Contains(p.Settings.Folders, folder) {
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(a, b ServingProcess) int { return cmp.Or(b.RoleSince.Compare(a.RoleSince), a.PID-b.PID) })
	owned := make(map[string]bool)
	for i, p := range all {
		if p.Role == RoleOwner && owned[p.SettingsChecksum()] {
			all[i].Role, all[i].StandaloneReason = RoleStandalone, string(ReplacedOwnerReason)
		} else if p.Role == RoleOwner {
			owned[p.SettingsChecksum()] = true
		}
	}
	slices.Reverse(all)
	return all
}

// ReplacedOwnerReason is the reason why a former owner serves alone: another process has taken its
// place.
var ReplacedOwnerReason = message.New("it was stopped for some time, and another process has taken its place")

// descriptions returns the files that describe processes.
func descriptions(dir string) []string {
	files, _ := filepath.Glob(filepath.Join(dir, processPrefix+"*"+processSuffix)) // the pattern is right
	return files
}

// readProcess reads the description of a process. ok is false if the process has ended.
func readProcess(file string) (p ServingProcess, ok bool) {
	lock := system.NewFileLock(strings.TrimSuffix(file, processSuffix) + lockSuffix)
	switch isFree, err := lock.TryLock(); {
	case err != nil:
		return ServingProcess{}, false
	case isFree:
		_ = os.Remove(file)
		_ = lock.Close()
		_ = os.Remove(lock.Path())
		return ServingProcess{}, false
	}
	text, err := os.ReadFile(file)
	return p, err == nil && json.Unmarshal(text, &p) == nil
}
