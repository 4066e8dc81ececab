// Package location provides the places where the catalogues of folders are stored, and the leases
// for them: files on this machine, and libraries in a database that several machines share. It does
// not deal with documents.
package location
