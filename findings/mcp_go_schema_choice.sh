#!/usr/bin/env bash
# mcp-go takes from a tool's schema the choice between two parameters, and what the schema says of itself.
#
# Expected: a client, and a proxy that hands the tools of a server on, has the schema of a tool as the server wrote it,
# as the official Go SDK has it.
# Seen with github.com/mark3labs/mcp-go v1.2.1 and github.com/modelcontextprotocol/go-sdk v1.8.0: of the keywords at
# the top it keeps type, properties, required, additionalProperties and $defs. anyOf ("an id or a title"),
# dependentRequired, minProperties, the description, the examples and $schema are gone, so that a model gives none of
# the two; an outputSchema is given an empty "required", and a link empty words for its description.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > main.go <<'END'
package main

import (
	"encoding/json"
	"fmt"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const tool = `{"name":"find","inputSchema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","description":"By id or title, until with since",
"properties":{"id":{"type":"integer"},"title":{"type":"string"},"since":{"type":"string"},"until":{"type":"string"}},
"anyOf":[{"required":["id"]},{"required":["title"]}],"dependentRequired":{"until":["since"]},"minProperties":1,"additionalProperties":false,"examples":[{"id":7}]},
"outputSchema":{"type":"object","properties":{"shelf":{"type":"integer"}},"minProperties":1}}`

const result = `{"content":[{"type":"resource_link","uri":"note://dose","name":"Dose"}]}`

func through(text string, value any) string {
	if err := json.Unmarshal([]byte(text), value); err != nil {
		return err.Error()
	}
	written, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	var fields any
	_ = json.Unmarshal(written, &fields) // the order of names is that of the alphabet in both
	sorted, _ := json.Marshal(fields)
	return string(sorted)
}

func main() {
	fmt.Println("mcp-go:", through(tool, &mcpgo.Tool{}))
	fmt.Println("mcp-go:", through(result, &mcpgo.CallToolResult{}))
	fmt.Println("go-sdk:", through(tool, &mcp.Tool{}))
	fmt.Println("go-sdk:", through(result, &mcp.CallToolResult{}))
}
END
go mod init finding > init.txt 2>&1
go get github.com/mark3labs/mcp-go/mcp@v1.2.1 github.com/modelcontextprotocol/go-sdk/mcp@v1.8.0 > get.txt 2>&1 || { cat get.txt; exit 1; }

go list -m github.com/mark3labs/mcp-go github.com/modelcontextprotocol/go-sdk
CGO_ENABLED=0 go run . > seen.txt
cat seen.txt
diff seen.txt - <<'END'
mcp-go: {"annotations":{},"inputSchema":{"additionalProperties":false,"properties":{"id":{"type":"integer"},"since":{"type":"string"},"title":{"type":"string"},"until":{"type":"string"}},"required":[],"type":"object"},"name":"find","outputSchema":{"properties":{"shelf":{"type":"integer"}},"required":[],"type":"object"}}
mcp-go: {"content":[{"description":"","mimeType":"","name":"Dose","type":"resource_link","uri":"note://dose"}]}
go-sdk: {"inputSchema":{"$schema":"https://json-schema.org/draft/2020-12/schema","additionalProperties":false,"anyOf":[{"required":["id"]},{"required":["title"]}],"dependentRequired":{"until":["since"]},"description":"By id or title, until with since","examples":[{"id":7}],"minProperties":1,"properties":{"id":{"type":"integer"},"since":{"type":"string"},"title":{"type":"string"},"until":{"type":"string"}},"type":"object"},"name":"find","outputSchema":{"minProperties":1,"properties":{"shelf":{"type":"integer"}},"type":"object"}}
go-sdk: {"content":[{"name":"Dose","type":"resource_link","uri":"note://dose"}]}
END
