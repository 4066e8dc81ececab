#!/usr/bin/env bash
# The Go SDK for MCP sends an empty note without its text, and the TypeScript SDK refuses all that comes with it.
#
# Expected: the text of an empty file is "": a text resource has a "text", as the schema of MCP says, and two passages
# of a result reach a client where one of them is empty.
# Seen with github.com/modelcontextprotocol/go-sdk v1.8.0 and @modelcontextprotocol/sdk 1.32.2 (Node 20): "text" is
# left out where it is "", so that the resource has neither text nor blob and the client's check ends the reading, and
# the call of a tool, with an error, also for the passage beside it. In structuredContent that it reads and writes, a
# long number gets another end, and a priority of 0 is left out.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > main.go <<'END'
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var notes = map[string]string{"note://full": "Take 5 mg", "note://empty": ""}

func read(_ context.Context, request *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	uri := request.Params.URI
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: "text/plain", Text: notes[uri]}}}, nil
}

func find(_ context.Context, _ *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
	var content []mcp.Content
	for _, uri := range []string{"note://full", "note://empty"} {
		content = append(content, &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: uri, MIMEType: "text/plain", Text: notes[uri]}})
	}
	return &mcp.CallToolResult{Content: content}, nil, nil
}

func main() {
	if len(os.Args) > 1 {
		var result mcp.CallToolResult
		if err := json.Unmarshal([]byte(os.Args[1]), &result); err != nil {
			panic(err)
		}
		written, _ := json.Marshal(&result)
		fmt.Println("read and written:", string(written))
		return
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "notes", Version: "1"}, nil)
	for uri := range notes {
		server.AddResource(&mcp.Resource{URI: uri, Name: uri, MIMEType: "text/plain"}, read)
	}
	mcp.AddTool(server, &mcp.Tool{Name: "find", Description: "Finds it"}, find)
	if err := server.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}
END
go mod init finding > init.txt 2>&1
go get github.com/modelcontextprotocol/go-sdk/mcp@v1.8.0 > get.txt 2>&1 || { cat get.txt; exit 1; }
CGO_ENABLED=0 go build -o notes .
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error @modelcontextprotocol/sdk@1.32.2
cat > ask.mjs <<'END'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
const client = new Client({ name: 'c', version: '1' })
await client.connect(new StdioClientTransport({ command: './notes' }))
const say = async (what, answer) => console.log(`${what}: ${await answer.then((result) => JSON.stringify(result.contents ?? result.content), (error) => `refused, ${error.name}`)}`)
await say('read note://full', client.readResource({ uri: 'note://full' }))
await say('read note://empty', client.readResource({ uri: 'note://empty' }))
await say('call find', client.callTool({ name: 'find', arguments: {} }))
await client.close()
END

go list -m github.com/modelcontextprotocol/go-sdk
node -p "'@modelcontextprotocol/sdk ' + JSON.parse(fs.readFileSync('node_modules/@modelcontextprotocol/sdk/package.json')).version"
{
  timeout 60 node ask.mjs
  ./notes '{"content":[{"type":"text","text":"Shelf 7","annotations":{"priority":0}}],"structuredContent":{"record":12345678901234567890}}'
} > seen.txt
cat seen.txt
diff seen.txt - <<'END'
read note://full: [{"uri":"note://full","mimeType":"text/plain","text":"Take 5 mg"}]
read note://empty: refused, $ZodError
call find: refused, $ZodError
read and written: {"content":[{"type":"text","text":"Shelf 7","annotations":{}}],"structuredContent":{"record":12345678901234567000}}
END
