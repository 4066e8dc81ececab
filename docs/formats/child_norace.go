//go:build !race

package formats

const raceFactor = 1
