package e2e

import (
	"flag"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"vademecum/docs/formats"
	"vademecum/internal/app/cli"
)

// repository is the root of the repository: tests run in the folder of their package.
const repository = "../.."

var (
	update = flag.Bool("update", false, "write the golden files anew")
	inFull = flag.Bool("full", false, "kill as often as .ci/kills does, and build what takes minutes; else as often as finds what a test is for")
)

// asProgram makes the test binary behave as the program.
const asProgram = "VADEMECUM_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	formats.RunIfChild()
	if os.Getenv(asProgram) != "" {
		program()
	}
	testscript.Main(waiting{m}, map[string]func(){"vademecum": program})
}

// waiting runs three times as many parallel tests as there are processors, unless -parallel is given:
// most of the time each test waits for a program that it has started.
type waiting struct{ *testing.M }

func (w waiting) Run() int {
	flag.Parse()
	if parallel := flag.Lookup("test.parallel"); parallel.Value.String() == parallel.DefValue && !underRace() {
		flag.Set("test.parallel", strconv.Itoa(3*runtime.GOMAXPROCS(0)))
	}
	return w.M.Run()
}

// program does what main does after it has checked that it is not a child process for reading.
func program() {
	if file := os.Getenv(countsFile); file != "" {
		if err := tellCounts(file); err != nil {
			panic(err)
		}
	}
	os.Exit(cli.Run(os.Args[1:], "0.0.0"))
}

// vademecum returns a command of this program with an index of its own.
func vademecum(t testing.TB, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), exe, args...)
	c.Args[0] = "vademecum" // as if the shell had found it on the PATH
	c.Env = append(os.Environ(), asProgram+"=1", "XDG_CONFIG_HOME="+t.TempDir())
	return c
}
