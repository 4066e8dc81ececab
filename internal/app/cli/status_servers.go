package cli

import (
	"fmt"
	"os"
	"slices"
	"time"

	"vademecum/internal/app/owner"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
	"vademecum/internal/base/system"
)

// folderServer is a process that serves a folder on this machine, in the output of status.
type folderServer struct {
	Folder    string          `json:"folder"`
	PID       int             `json:"pid"`
	Host      string          `json:"host,omitempty"` // name of the machine; "" for this one
	Since     time.Time       `json:"since"`          // when it got its role
	Role      owner.Role      `json:"role"`
	Connected int             `json:"connected,omitempty"` // number of processes that it answers as the owner
	Apart     bool            `json:"apart,omitempty"`     // it is an owner but not the first one, as its settings differ
	Reason    message.Message `json:"reason,omitempty"`    // why it serves alone, or in which settings it differs
}

// allServers returns the processes that serve some folders.
func allServers(folders []string) []folderServer {
	all := []folderServer{}
	for _, folder := range folders {
		all = append(all, folderServers(folder)...)
	}
	return all
}

// folderServers returns the processes that serve a folder and use the cache folder of this user.
func folderServers(folder string) []folderServer {
	dir, err := system.CacheDir()
	if err != nil {
		return nil
	}
	folder = absoluteSetting(folder)
	return describeServers(folder, owner.Processes(dir, folder))
}

// describeServers describes the processes that serve a folder. The owner to which most processes
// are connected comes first. The reason of every other owner is in which settings it differs from
// the first.
func describeServers(folder string, processes []owner.ServingProcess) (all []folderServer) {
	connected := make(map[string]int)
	for _, p := range processes {
		if p.Role == owner.RoleConnected {
			connected[p.SettingsChecksum()]++
		}
	}
	slices.SortStableFunc(processes, func(a, b owner.ServingProcess) int {
		return connected[b.SettingsChecksum()] - connected[a.SettingsChecksum()]
	})
	here, _ := os.Hostname()
	var first *owner.ServingProcess
	for i, p := range processes {
		s := folderServer{Folder: folder, PID: p.PID, Host: p.MachineName, Since: p.RoleSince, Role: p.Role, Reason: message.Message(p.StandaloneReason)}
		if s.Host == here {
			s.Host = ""
		}
		switch {
		case p.Role == owner.RoleOwner && first == nil:
			first = &processes[i]
			s.Connected = connected[p.SettingsChecksum()]
		case p.Role == owner.RoleOwner:
			s.Connected, s.Apart, s.Reason = connected[p.SettingsChecksum()], true, p.Settings.Difference(first.Settings)
		}
		all = append(all, s)
	}
	return all
}

// printServers prints the processes that hold an index of a folder, each with the number of
// processes that are connected to it.
func (p *program) printServers(servers []folderServer) {
	var first message.Message // name of the first owner, from which the others differ
	for _, s := range servers {
		name, since := s.name(), p.translateLine(scanTimeText(s.Since.Local()))
		switch {
		case s.Role == owner.RoleConnected:
		case s.Role == owner.RoleStandalone:
			fmt.Fprint(&p.out, p.localise("served by:  %s, since %s, alone: %s\n", p.translateLine(name), since, p.translateLine(s.Reason)))
		case s.Apart:
			fmt.Fprint(&p.out, p.localise("served by:  %s, since %s, with different settings from %s (%s); connected to it: %d\n", p.translateLine(name), since, p.translateLine(first), p.translateLine(s.Reason), s.Connected))
		default:
			first = name
			fmt.Fprint(&p.out, p.localise("served by:  %s, since %s; connected to it: %d\n", p.translateLine(name), since, s.Connected))
		}
	}
}

// name returns how the output names the process.
func (s folderServer) name() message.Message {
	if s.Host != "" {
		return message.New("process %d on %s", s.PID, present.CleanLine(s.Host))
	}
	return message.New("process %d", s.PID)
}
