//go:build race

package child

// raceFactor is the factor by which memory and time limits are raised under the race detector,
// which shadows memory accesses (go.dev/doc/articles/race_detector, "Runtime Overhead": 5 to 10
// times the memory, 2 to 20 times the time).
const raceFactor = 6
