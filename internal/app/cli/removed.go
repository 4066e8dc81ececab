package cli

import (
	"vademecum/internal/base/message"
)

// removedFlags are the flags of earlier versions, which scripts and configurations of hosts may
// still use, with what to do instead.
var removedFlags = map[string]message.Message{
	"include-generated": message.New("leave it out: machine-generated files are not indexed; vademecum status FOLDER --why NAME says whether a file is one"),
	"max-user-sessions": message.New("leave it out: one user has a tenth of --max-sessions"),
	"rerank-timeout":    message.New("leave it out: a question waits longer for a model in a folder (local:) than for a service"),
	"sse":               message.New("leave it out: serve --http always speaks HTTP+SSE, at /sse and /mcp"),
}

// removedCommand is a command of earlier versions that checked whether a server answers.
const removedCommand = "healthcheck"

// removedCommandError returns a usage error for removedCommand that names the command to use
// instead, with the address that was given.
func removedCommandError(args []string) error {
	instead := commandLine("status --http")
	if len(args) > 0 {
		instead = commandLine("status --http", quoteArg(args[0]))
	}
	return usageError{message.Errorf("the command %s no longer exists", removedCommand), message.New("use instead: %v", instead)}
}
