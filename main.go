// Command vademecum turns folders of documents into a knowledge base that any MCP host can query.
//
// # Packages
//
//   - [vademecum/docs] turns the files of a folder into documents: it scans, watches,
//     reads some forty formats ([vademecum/docs/formats]) and splits texts into chunks
//     ([vademecum/docs/chunk]).
//   - [vademecum/embed] turns texts into vectors, with a built-in method or a model elsewhere.
//   - [vademecum/index] keeps documents searchable and answers questions with passages. Its
//     comment follows a saved file and a question through the code, function by function.
//   - [vademecum/mcp] offers an index to AI programs: tools, resources, a prompt.
//   - [vademecum/internal/app/cli] is the command line, [vademecum/internal/app/web] the page and the
//     server over HTTP, [vademecum/internal/app/hosts] the knowledge about each AI program.
//
// Dependencies have one direction: a package imports only packages below it in the list of
// internal/e2e/imports_test.go. The guide for contributors, with what to change for a format, a
// tool, a stage of ranking and so on, is .github/CONTRIBUTING.md.
package main

import (
	"os"

	"vademecum/docs/formats"
	"vademecum/internal/app/cli"
)

// version is the version of the program; a release build may set it.
var version = "0.1.0"

func main() {
	formats.RunIfChild() // in a child process of the same program this reads a document and exits
	os.Exit(cli.Run(os.Args[1:], version))
}
