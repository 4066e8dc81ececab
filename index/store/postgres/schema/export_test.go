package schema

// What the tests look at.
var (
	Lacking      = missingObjects
	TablesIn     = tablesIn
	Parts        = schemaObjects
	VersionOf    = versionOf
	Keyed        = keyed
	OfLibraries  = ofLibraries
	ErrNoVersion = errNoVersion
	Migrations   = migrations
)

// Spared is the number of them that documents can do without.
const Spared = spared
