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

// storeVariable is the environment variable that contains the address of the database.
const storeVariable = "VADEMECUM_STORE"

// inMemory is the address of a store that saves nothing, for tests.
const inMemory = "memory"

func (p *program) isInMemory() bool { return cmp.Or(p.store, os.Getenv(storeVariable)) == inMemory }

// replicaVariable is the environment variable that contains the address of a read replica of the
// database.
const replicaVariable = "VADEMECUM_STORE_READ"

// storeAddress returns the address of the database that contains the index; "" if the index is in
// files on this machine. The address may come from an environment variable because command lines
// can be read by everybody on the machine.
func (p *program) storeAddress() (string, error) {
	return flagOrVariable("--store", p.store, storeVariable)
}

// replicaAddress returns the address of the replica of the database that answers questions; "" if
// there is none.
func (p *program) replicaAddress(store string) (string, error) {
	if p.storeRead != "" && store == "" {
		return "", usageError{message.Errorf("--store-read is a replica of a database, but no database is given"), adviceOnStore()}
	}
	if store == "" {
		return "", nil
	}
	return flagOrVariable("--store-read", p.storeRead, replicaVariable)
}

func adviceOnStore() message.Message {
	return message.New("give --store or set %s", storeVariable)
}

// flagOrVariable returns the address in a flag or else in an environment variable.
func flagOrVariable(flag, given, variable string) (string, error) {
	address := cmp.Or(given, os.Getenv(variable))
	if address == inMemory {
		return "", nil
	}
	if hasPassword(given) {
		return "", usageError{message.Errorf("%s contains a password, which everyone on this machine could read", flag),
			message.New("put the address into %s, or the password into PGPASSWORD or the file ~/.pgpass", variable)}
	}
	return address, nil
}

// requireFolders returns a check that folders are given, unless libraries are named, whose files
// may be on other machines; what is the message if none are given.
func (p *program) requireFolders(what message.Message) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		return requireArgs(p.minFolders(), what)(c, args)
	}
}

// minFolders returns the minimum number of arguments that are folders.
func (p *program) minFolders() int {
	if len(p.libraries) > 0 {
		return 0
	}
	return 1
}

// hasPassword reports whether the address of a database contains a password, in any form. In doubt
// it returns true: for an address that cannot be parsed, or that has an @ outside of the user part.
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

// checkStore returns a usage error for options on a database and its libraries that cannot be
// intended.
func (p *program) checkStore(address string, folders []string) error {
	n := len(p.libraries)
	switch {
	case address == "" && n > 0:
		return usageError{message.Errorf("--library names a library in a database"), adviceOnStore()}
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
			return usageErrorf("--library is empty")
		case strings.TrimSpace(name) != name || strings.ContainsFunc(name, unicode.IsControl):
			return usageError{message.Errorf("--library %q has spaces at its ends, or control characters in it", name), message.New("vademecum store remove takes such a name, where there is a library of it")}
		case slices.Contains(p.libraries[:i], name):
			return usageErrorf("--library %s is given twice: each folder is a library of its own", name)
		}
	}
	return nil
}
