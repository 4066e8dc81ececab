package external

import "os"

// hasKillSignal is false on Windows, where who ends a process chooses the code with which it ends.
func hasKillSignal(*os.ProcessState) bool { return false }
