//go:build !unix

package docs

// withoutWaiting is zero on systems where folders contain no pipes.
const withoutWaiting = 0
