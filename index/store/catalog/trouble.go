package catalog

import "errors"

// IsDatabaseError reports whether an error is a database problem that is temporary or that the
// operator can fix.
func IsDatabaseError(err error) bool {
	return errors.Is(err, ErrDatabaseUnreachable) || errors.Is(err, ErrDatabaseReadOnly) || errors.Is(err, ErrSetupRequired)
}
