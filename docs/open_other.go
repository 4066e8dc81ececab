//go:build !unix

package docs

// withoutWaiting is nothing where folders hold no pipes.
const withoutWaiting = 0
