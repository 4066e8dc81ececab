package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"

	"github.com/gofrs/flock"

	"vademecum/index/store/catalog"
	"vademecum/internal/base/message"
)

// OpenReadOnly opens a catalogue without changing anything: it creates no tables, recovers no
// vectors, and does not record the folder. It returns nil if the file has no tables yet, or only
// those of an older format, which Open would empty.
func OpenReadOnly(ctx context.Context, location Location) (*Catalog, error) {
	if err := prepareFile(ctx, location); err != nil { // does not change an existing file
		return nil, message.Errorf("index file %s: %v", location.File, classify(err))
	}
	c := &Catalog{file: location.File, patience: busyLimit}
	ready, err := c.openReadOnly(ctx, location)
	switch {
	case err != nil:
		return nil, errors.Join(fmt.Errorf("open index %s: %w", location.File, classify(err)), c.Close())
	case !ready:
		return nil, c.Close()
	}
	return c, nil
}

func (c *Catalog) openReadOnly(ctx context.Context, at Location) (ready bool, err error) {
	if c.read, err = sql.Open("sqlite", dataSource(c.file, []string{"busy_timeout(10000)", "query_only(1)", "trusted_schema(0)"})); err != nil {
		return false, err
	}
	c.write = c.read
	defer lockOpening(ctx, c.file, (*flock.Flock).TryRLock)()
	ctx, cancel := context.WithTimeout(ctx, openLimit)
	defer cancel()
	if err := checkSchema(ctx, c.read); err != nil {
		return false, err
	}
	have, err := c.Value(ctx, "format")
	if n, notOne := strconv.Atoi(have); err == nil && notOne == nil && n > catalog.FormatVersion {
		err = errNewer
	}
	if err != nil || have != strconv.Itoa(catalog.FormatVersion) {
		return false, err
	}
	owner, err := c.Value(ctx, "folder")
	if err == nil {
		err = checkOwner(owner, at)
	}
	if err != nil {
		return false, err
	}
	model, err := c.Value(ctx, "model")
	if err != nil || model == "" {
		return false, err
	}
	err = c.useModel(ctx, model)
	return err == nil, err
}
