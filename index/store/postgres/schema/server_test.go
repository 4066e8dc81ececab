package schema_test

import (
	"testing"

	"vademecum/index/store/postgres/postgrestest"
)

var (
	server        = postgrestest.Server
	must          = postgrestest.Must
	parsed        = postgrestest.ParseAddress
	opened        = postgrestest.OpenStore
	anyName       = postgrestest.AnyName
	passaged      = postgrestest.EntryWithPassage
	serving       = postgrestest.OpenServing
	library       = postgrestest.OpenLibrary
	emptyDatabase = postgrestest.EmptyDatabase
	migrate       = postgrestest.Migrate
	tended        = postgrestest.NewOwnDatabase
	mended        = postgrestest.NewSixDocuments
	skipped       = postgrestest.SkippedEntry
)

const patience = postgrestest.Patience

func TestMain(m *testing.M) { server.RunTests(m) }
