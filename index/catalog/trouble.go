package catalog

import "errors"

// IsDatabaseError reports whether an error is that of a database with which something is
// wrong that passes, or that the operator puts right.
func IsDatabaseError(err error) bool {
	return errors.Is(err, ErrUnreachable) || errors.Is(err, ErrNoWrites) || errors.Is(err, ErrUnready)
}
