// Package storage has the places where the catalogues of folders are kept, with who has
// the duties for them: files on this machine, and libraries in a database that several
// machines share. It knows no documents.
package storage
