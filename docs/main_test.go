package docs

import (
	"flag"
	"runtime"
	"strconv"
	"testing"

	"vademecum/docs/formats"
)

// TestMain has the test binary read documents as a child, as the program does. It runs four times
// as many parallel tests as there are processors, unless it is told how many: most of the time each
// waits for the system to tell of a change.
func TestMain(m *testing.M) {
	formats.RunIfChild()
	flag.Parse()
	if parallel := flag.Lookup("test.parallel"); parallel.Value.String() == parallel.DefValue {
		flag.Set("test.parallel", strconv.Itoa(4*runtime.GOMAXPROCS(0)))
	}
	m.Run()
}
