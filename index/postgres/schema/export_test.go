package schema

// What the tests look at.
var (
	Lacking      = lacking
	TablesIn     = tablesIn
	Parts        = parts
	VersionOf    = versionOf
	Keyed        = keyed
	OfLibraries  = ofLibraries
	ErrNoVersion = errNoVersion
	Migrations   = migrations
)

// Spared is the number of them that documents can do without.
const Spared = spared
