//go:build !race

package child

const raceFactor = 1
