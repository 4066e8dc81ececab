package doctor

import (
	"os"
	"strconv"
	"strings"
)

const (
	tooFewWatchers = "sudo sysctl fs.inotify.max_user_instances=512, and write it to /etc/sysctl.conf"
	tooFewWatches  = "sudo sysctl fs.inotify.max_user_watches=524288, and write it to /etc/sysctl.conf"
)

// maxWatches is how many folders a user may watch, 0 where that is not known.
func maxWatches() int {
	text, err := os.ReadFile("/proc/sys/fs/inotify/max_user_watches")
	if err != nil {
		return 0
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return 0
	}
	return n
}
