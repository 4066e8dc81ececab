// Command vademecum turns folders of documents into a knowledge base that any
// MCP host can query.
package main

import (
	"os"

	"vademecum/docs/formats"
	"vademecum/internal/cli"
)

// version is the program's; a release build may set it.
var version = "0.1.0"

func main() {
	formats.RunChild() // the same program reads some formats as a child of itself
	os.Exit(cli.Run(os.Args[1:], version))
}
