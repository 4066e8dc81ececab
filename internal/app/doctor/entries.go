package doctor

import (
	"context"
	"strings"

	"vademecum/index/notice"
	"vademecum/internal/app/hosts"
	"vademecum/internal/base/message"
)

// mostAtOnce is the maximum number of entries that are tried concurrently, each of which may start
// a server.
const mostAtOnce = 8

// checkEntries reports, for each entry of the program in the hosts of the machine, whether the host
// can start the program, and whether the server that it starts or connects to answers.
func (s *examination) checkEntries(ctx context.Context, report func(Finding)) {
	if s.Machine.HomeDir == "" {
		return
	}
	var without []string
	var tried []chan Finding
	slots := make(chan struct{}, mostAtOnce)
	later := func(look func() Finding) {
		said := make(chan Finding, 1)
		tried = append(tried, said)
		go func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			said <- look()
		}()
	}
	for _, h := range hosts.KnownHosts {
		if h.ConfigFile(s.Machine) == "" || !h.IsInstalled(s.Machine) {
			continue
		}
		all, err := s.installedEntries(h)
		switch {
		case err != nil:
			later(func() Finding {
				return Finding{LevelFault, aboutHost, message.New("%s: %v", h.Title, notice.ErrorLine(err)), message.New("correct the file: the host cannot read it as it is")}
			})
		case len(all) == 0:
			without = append(without, h.Title)
		}
		for _, e := range all {
			later(func() Finding { return s.tryEntry(ctx, h, e) })
		}
	}
	for _, said := range tried {
		report(<-said)
	}
	if len(without) > 0 {
		report(Finding{LevelOK, aboutHost, message.New("found without this program: %s; vademecum install HOST FOLDER adds it", strings.Join(without, ", ")), ""})
	}
}

// installedEntries returns the entries of the program in all configuration files of a host.
func (s *examination) installedEntries(h hosts.Host) ([]hosts.InstalledEntry, error) {
	all, err := h.EntriesOfThisProgram(s.Machine, s.EntryName)
	if err != nil {
		return nil, err
	}
	more, err := h.EntriesInPlugins(s.Machine, s.EntryName)
	return append(all, more...), err
}
