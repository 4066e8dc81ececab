// Command vademecum turns folders of documents into a knowledge base that any
// MCP host can query.
//
// # The house
//
//   - [vademecum/docs] turns the files of a folder into documents: it scans, watches,
//     reads some forty formats ([vademecum/docs/formats]) and splits texts into chunks
//     ([vademecum/docs/chunk]).
//   - [vademecum/embed] turns texts into vectors, by itself or by a model elsewhere.
//   - [vademecum/index] keeps documents searchable and answers questions with passages. Its
//     comment has the way of a saved file and the way of a question, function by function.
//   - [vademecum/mcp] offers an index to AI programs: tools, resources, a prompt.
//   - [vademecum/internal/app/cli] is the command line, [vademecum/internal/app/web] the page and the
//     server over HTTP, [vademecum/internal/app/hosts] what is known of each AI program.
//
// Data runs one way: a package imports only what stands below it in the list of
// internal/e2e/imports_test.go. The guide for those who change the program, with what to
// touch for a format, a tool, a stage of ranking and so on, is .github/CONTRIBUTING.md.
package main

import (
	"os"

	"vademecum/docs/formats"
	"vademecum/internal/app/cli"
)

// version is the program's; a release build may set it.
var version = "0.1.0"

func main() {
	formats.RunChild() // the same program reads some formats as a child of itself
	os.Exit(cli.Run(os.Args[1:], version))
}
