//go:build !unix

package local

// withoutWaiting is 0 on systems where folders cannot contain pipes.
const withoutWaiting = 0
