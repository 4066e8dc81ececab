package doctor

import (
	"os"
	"strconv"
	"strings"

	"vademecum/internal/base/message"
)

func tooFewWatchers() message.Message { return sysctlAdvice("fs.inotify.max_user_instances=512") }

func tooFewWatches() message.Message { return sysctlAdvice("fs.inotify.max_user_watches=524288") }

func sysctlAdvice(assignment string) message.Message {
	return message.New("sudo sysctl %s, and write it to /etc/sysctl.conf", assignment)
}

// maxWatches returns how many folders a user may watch; 0 if the limit is unknown or there is none.
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
