//go:build race

package child

// raceFactor is how much more memory and time a child may take: the race detector
// shadows what a program uses (go.dev/doc/articles/race_detector, "Runtime
// Overhead": 5 to 10 times the memory, 2 to 20 times the time).
const raceFactor = 6
