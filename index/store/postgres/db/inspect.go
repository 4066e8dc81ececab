package db

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"vademecum/index/store/catalog"
	"vademecum/internal/base/message"
)

// Inspect examines the database and its replica. It changes nothing, so it does not detect a full
// disk.
func (d *DB) Inspect(ctx context.Context) (c catalog.DatabaseStatus, err error) {
	c.Address = d.Address.String()
	if c.WriteRefusal, err = d.writePermission(ctx); err != nil {
		return c, fmt.Errorf("look at %s: %w", d.Address, ClassifyError(err))
	}
	c.Remedy = remedies[c.WriteRefusal]
	c.LatencyMillis = d.statementLatency(ctx).Milliseconds()
	if d.replica != nil {
		c.Replica = d.inspectReplica(ctx)
	}
	return c, nil
}

// statementLatency returns the minimum time that small statements take; 0 if that is short.
func (d *DB) statementLatency(ctx context.Context) time.Duration {
	var p statementTimes
	for range p.last {
		began := time.Now()
		if d.QueryRow(ctx, "SELECT 1", nil, nil) != nil || time.Since(began) < slowFrom {
			return 0
		}
		p.note(time.Since(began))
	}
	return p.slowness()
}

// writePermission returns why the database accepts no changes from this user; "" if it does.
func (d *DB) writePermission(ctx context.Context) (refusal message.Message, err error) {
	var isReplica, isReadOnly, mayWrite bool
	err = d.RetryRead(ctx, QuickTimeout, func(ctx context.Context) error {
		return d.QueryRow(ctx, `SELECT pg_is_in_recovery(), current_setting('default_transaction_read_only')::bool, NOT EXISTS (
			SELECT FROM pg_class c WHERE c.relnamespace = 'vademecum'::regnamespace AND c.relkind IN ('r', 'p')
			AND c.relname NOT IN ('program', 'schema_version')
			AND NOT (has_table_privilege(c.oid, 'INSERT') AND has_table_privilege(c.oid, 'UPDATE') AND has_table_privilege(c.oid, 'DELETE')))`,
			nil, &isReplica, &isReadOnly, &mayWrite)
	})
	switch {
	case err != nil:
		return "", err
	case isReplica:
		return whyReplica, nil
	case isReadOnly:
		return refusals[codeReadOnly], nil
	case !mayWrite:
		return refusals[CodeInsufficientPrivilege], nil
	}
	return "", nil
}

// inspectReplica compares the state of the replica with that of the database.
func (d *DB) inspectReplica(ctx context.Context) *catalog.ReplicaStatus {
	l := &catalog.ReplicaStatus{Address: d.replica.Address.String()}
	const commits = "SELECT coalesce(sum(version), 0)::bigint FROM vademecum.libraries"
	var all, has, behind int64
	err := d.QueryRow(ctx, commits, nil, &all)
	if err == nil {
		limited, cancel := context.WithTimeout(ctx, QuickTimeout)
		defer cancel()
		err = d.replica.QueryRow(limited, "SELECT ("+commits+"), coalesce(extract(epoch FROM now() - pg_last_xact_replay_timestamp()), 0)::bigint", nil, &has, &behind)
	}
	if err != nil {
		l.Fault = oneLineReason(err)
		return l
	}
	if l.MissingCommits = max(0, all-has); l.MissingCommits > 0 {
		l.LastCommitAgeSeconds = behind
	}
	return l
}

// errOther means that the address of the replica leads to a database that is not a copy of this
// one.
var errOther = message.Errorf("it is another database, not a replica of the one in --store")

// clusterIdentity returns an identifier that a database shares only with its replicas; "" if this
// user may not read it.
func clusterIdentity(ctx context.Context, of RowQuerier) (string, error) {
	var found string
	err := of.QueryRow(ctx, "SELECT system_identifier || ' ' || current_database() FROM pg_control_system()").Scan(&found)
	if CodeOf(err) == CodeInsufficientPrivilege {
		return "", nil
	}
	return found, err
}

// checkIsReplica returns an error if a connection to the replica leads to another database, which
// would answer with its own passages.
func (d *DB) checkIsReplica(ctx context.Context, conn *pgx.Conn) error {
	own := d.known.Load()
	if own == nil {
		found, err := clusterIdentity(ctx, d.Pool)
		if err != nil {
			return nil // the database is unreachable, so its identity is unknown
		}
		d.known.Store(&found)
		own = &found
	}
	other, err := clusterIdentity(ctx, conn)
	if err == nil && *own != "" && other != "" && other != *own {
		d.known.Store(nil) // it may have been restored elsewhere in the meantime
		return errOther
	}
	return err
}
