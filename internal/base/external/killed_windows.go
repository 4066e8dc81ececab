package external

import "os"

// hasKillSignal returns false on Windows, where the process that ends another chooses its exit
// code.
func hasKillSignal(*os.ProcessState) bool { return false }
