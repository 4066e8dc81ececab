package catalog

import "errors"

// IsDatabaseError reports whether an error is a database problem that is temporary or that the
// operator can fix.
func IsDatabaseError(err error) bool {
	return errors.Is(err, ErrUnreachable) || errors.Is(err, ErrReadOnly) || errors.Is(err, ErrSetupRequired)
}
