package catalog

import "errors"

// IsDatabaseUnusable reports whether an error is a database problem that is temporary or that the
// operator can fix.
func IsDatabaseUnusable(err error) bool {
	return errors.Is(err, ErrDatabaseUnreachable) || errors.Is(err, ErrDatabaseReadOnly) || errors.Is(err, ErrSetupRequired)
}
