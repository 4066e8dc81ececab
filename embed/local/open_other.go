//go:build !unix

package local

// withoutWaiting is nothing where folders hold no pipes.
const withoutWaiting = 0
