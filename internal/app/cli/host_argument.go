package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vademecum/internal/app/hosts"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// checkNoHost returns a usage error if a host is named together with --all. A folder that is called
// like a host is allowed.
func checkNoHost(args []string) error {
	if len(args) == 0 || isFolder(args[0]) {
		return nil
	}
	h, ok := hosts.FindHost(args[0])
	if !ok {
		return nil
	}
	rest := ""
	for _, arg := range args[1:] {
		rest += " " + quoteArg(arg)
	}
	return usageError{message.Errorf("--all takes no host, but was given %s", present.QuoteName(args[0])),
		message.New("vademecum install %[1]s%[2]s is for %[3]s alone, vademecum install --all%[2]s for every host", h.ID, rest, h.Title)}
}

// checkNoHostFlags returns a usage error for a flag of install that is given without a host: the list of
// hosts has no use for it, and who typed it meant to name a host.
func checkNoHostFlags(c *cobra.Command) (err error) {
	c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if err == nil && f.Changed {
			err = usageError{message.Errorf("--%s is given without a host", f.Name), message.New("give vademecum install HOST FOLDER as well; vademecum install --help lists the hosts")}
		}
	})
	return err
}

// checkOneHost returns a usage error if several hosts are given to install or uninstall, before anything is
// done.
func checkOneHost(command string, args []string) error {
	if len(args) < 2 || isFolder(args[1]) {
		return nil
	}
	first, _ := hosts.FindHost(args[0])
	second, ok := hosts.FindHost(args[1])
	if !ok {
		return nil
	}
	err := message.Errorf("%s takes one host, got %s and %s: nothing was done", command, first.ID, second.ID)
	if command == "uninstall" {
		return usageError{err, message.New("vademecum uninstall %s, then vademecum uninstall %s", first.ID, second.ID)}
	}
	folders := "FOLDER"
	if len(args) > 2 {
		folders = shellLine(args[2:])
	}
	return usageError{err, message.New("vademecum install %[1]s %[3]s, then vademecum install %[2]s %[3]s", first.ID, second.ID, folders)}
}

func hostNames() (names []string) {
	for _, h := range hosts.KnownHosts {
		names = append(names, h.ID)
	}
	return names
}

// hostOfArgs returns the host that the first argument names, or a usage error with a suggestion.
func hostOfArgs(args []string) (hosts.Host, error) {
	all := message.New("vademecum install --help lists the hosts")
	if len(args) == 0 {
		return hosts.Host{}, usageError{message.Errorf("give the host"), all}
	}
	h, ok := hosts.FindHost(args[0])
	if ok {
		return h, nil
	}
	meant := present.NearestName(args[0], hostNames())
	unknown := message.Errorf("unknown host %s", quoteArgs(args[:1]))
	switch {
	case isFolder(args[0]):
		return h, usageError{message.Errorf("%s is a folder, not a host", present.QuoteName(args[0])),
			message.New("the host comes first: vademecum install %s %s", firstHostIn(args[1:]), quoteArg(args[0]))}
	case strings.EqualFold(args[0], "all"):
		return h, usageError{message.Errorf("there is no host called all"), adviceOnMeant("--all")}
	case strings.EqualFold(args[0], "claude"):
		return h, usageError{message.Errorf("there are two hosts called claude"), message.New("claude-desktop is the desktop app, claude-code runs in a terminal")}
	case meant != "":
		return h, usageError{unknown, message.New("did you mean %s? %v", meant, all)}
	}
	return h, usageError{unknown, all}
}

// firstHostIn returns the name of the host that the first possible word names; "HOST" if no word
// names one.
func firstHostIn(words []string) string {
	for _, word := range words {
		if h, ok := hosts.FindHost(word); ok {
			return h.ID
		}
	}
	return "HOST"
}

func completeHosts(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveFilterDirs
	}
	var names []string
	for _, h := range hosts.KnownHosts {
		if strings.HasPrefix(h.ID, typed) {
			names = append(names, cobra.CompletionWithDesc(h.ID, h.Title))
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
