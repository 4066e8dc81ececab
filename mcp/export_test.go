package mcp

// Beside returns a Library that combines documents with texts, for the tests of package
// librarytest, which imports this package.
func Beside(documents, texts Library) Library { return &textsOverlay{documents, texts} }
