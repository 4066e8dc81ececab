package schema

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"vademecum/index/store/catalog"
	"vademecum/index/store/postgres/db"
	"vademecum/internal/base/message"
)

// withOwnerHint makes an error about missing rights name the owner of the tables, or who may let
// them be created: the role that lacks the rights cannot grant them to itself.
func withOwnerHint(ctx context.Context, conn *pgx.Conn, err error) error {
	if db.CodeOf(err) != db.CodeInsufficientPrivilege {
		return db.ClassifyError(err)
	}
	var role, database, owner string
	failed := conn.QueryRow(ctx, `SELECT current_user, current_database(),
		coalesce((SELECT pg_get_userbyid(nspowner) FROM pg_namespace WHERE nspname = 'vademecum'), '')`).Scan(&role, &database, &owner)
	if failed != nil {
		return db.ClassifyError(errors.Join(err, failed))
	}
	words := message.New("the tables belong to the role %s, but the current role is %s: run the command as %[1]s, set in the address or in PGUSER", owner, role)
	if owner == "" {
		words = message.New("the role %s may not create the tables: run the command as the owner of the database %s, or have the owner or an administrator run in it: GRANT CREATE ON DATABASE %s TO %s",
			role, database, pgx.Identifier{database}.Sanitize(), pgx.Identifier{role}.Sanitize())
	}
	return db.NewExplainedError(words, catalog.ErrSetupRequired, err)
}
