package schema_test

import (
	"testing"

	"vademecum/index/postgres/postgrestest"
)

var (
	server        = postgrestest.Server
	must          = postgrestest.Must
	parsed        = postgrestest.Parsed
	opened        = postgrestest.Opened
	anyName       = postgrestest.AnyName
	passaged      = postgrestest.Passaged
	serving       = postgrestest.Serving
	library       = postgrestest.Library
	emptyDatabase = postgrestest.EmptyDatabase
	migrate       = postgrestest.Migrate
	tended        = postgrestest.Tended
	mended        = postgrestest.Mended
	skipped       = postgrestest.Skipped
)

const patience = postgrestest.Patience

func TestMain(m *testing.M) { server.Main(m) }
