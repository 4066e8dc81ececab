package mcp

// Beside puts texts beside documents, for the suite of libraries, which imports this
// package.
func Beside(documents, texts Library) Library { return &textsOverlay{documents, texts} }
