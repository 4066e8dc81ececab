//go:build race

package child

// raceFactor is how much more memory a child may take: the race detector
// shadows what a program uses (go.dev/doc/articles/race_detector, "Runtime
// Overhead": 5 to 10 times).
const raceFactor = 6
