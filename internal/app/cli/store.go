package cli

import (
	"cmp"
	"net/url"
	"os"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"vademecum/internal/base/message"
)

// storeVariable is the environment variable with the address of the database.
const storeVariable = "VADEMECUM_STORE"

// inMemory is a placeholder for an address that saves nothing, for tests.
const inMemory = "memory"

func (p *program) isInMemory() bool { return cmp.Or(p.store, os.Getenv(storeVariable)) == inMemory }

// replicaVariable is the environment variable with the address of a replica of it.
const replicaVariable = "VADEMECUM_STORE_READ"

// storeAddress returns the address of the database that keeps the index, "" where files
// on this machine do. What is on the command line everybody on the machine can read.
func (p *program) storeAddress() (string, error) {
	return flagOrVariable("--store", p.store, storeVariable)
}

// replicaAddress returns the address of the replica that questions are asked of, "" where
// there is none.
func (p *program) replicaAddress(store string) (string, error) {
	if p.storeRead != "" && store == "" {
		return "", usageError{message.Errorf("--store-read is a replica of a database, and none is named"), adviceOnStore()}
	}
	if store == "" {
		return "", nil
	}
	return flagOrVariable("--store-read", p.storeRead, replicaVariable)
}

func adviceOnStore() message.Message {
	return message.New("give --store or set %s", storeVariable)
}

// flagOrVariable returns an address that is given by a flag, or else by an environment variable.
func flagOrVariable(flag, given, variable string) (string, error) {
	address := cmp.Or(given, os.Getenv(variable))
	if address == inMemory {
		return "", nil
	}
	if hasPassword(given) {
		return "", usageError{message.Errorf("%s has a password in it, which everybody on this machine could read", flag),
			message.New("put the address into %s, or the password into PGPASSWORD or the file ~/.pgpass", variable)}
	}
	return address, nil
}

// requireFolders requires folders, unless libraries are named that other machines fill.
func (p *program) requireFolders(what message.Message) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		return requireArgs(p.minFolders(), what)(c, args)
	}
}

// minFolders returns how many folders have to be given.
func (p *program) minFolders() int {
	if len(p.libraries) > 0 {
		return 0
	}
	return 1
}

// hasPassword reports whether the address of a database contains a password, in any of
// its forms. An address that cannot be parsed may, and so may one with an @ after another
// part than the user.
func hasPassword(address string) bool {
	if strings.HasPrefix(address, "postgres://") || strings.HasPrefix(address, "postgresql://") {
		u, err := url.Parse(address)
		if err != nil {
			return strings.Contains(address, "@")
		}
		_, there := u.User.Password()
		return there || u.User == nil && strings.Contains(address, "@") || u.Query().Has("password") || u.Query().Has("sslpassword")
	}
	return strings.Contains(strings.ToLower(address), "password")
}

// checkStore refuses what cannot be meant of a database and its libraries.
func (p *program) checkStore(address string, folders []string) error {
	n := len(p.libraries)
	switch {
	case address == "" && n > 0:
		return usageError{message.Errorf("--library is a name in a database"), adviceOnStore()}
	case address == "":
		return nil
	case len(p.indexFiles) > 0:
		return usageErrorf("give --index or --store: an index is kept in a file or in a database")
	case n > 0 && len(folders) > 0 && n != len(folders):
		return usageErrorf("--library must be given once for each folder: %d given for %d", n, len(folders))
	}
	for i, name := range p.libraries {
		switch {
		case strings.TrimSpace(name) == "":
			return usageErrorf("--library names none")
		case strings.TrimSpace(name) != name || strings.ContainsFunc(name, unicode.IsControl):
			return usageError{message.Errorf("--library %q has spaces at its ends, or control characters in it", name), message.New("vademecum store remove takes such a name, where there is a library of it")}
		case slices.Contains(p.libraries[:i], name):
			return usageErrorf("--library %s is given twice: each folder is a library of its own", name)
		}
	}
	return nil
}
