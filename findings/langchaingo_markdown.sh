#!/usr/bin/env bash
# LangChainGo's splitter for Markdown leaves out code and the heading of a table, and numbers a list from 1.
#
# Expected: the pieces have what the text has: they are cut between headings, and one that is small enough is whole.
# Seen with github.com/tmc/langchaingo v0.1.14: code in a fence is left out unless an option (WithCodeBlocks) asks
# for it, a table has its rows and not the names of its columns, and step 5 becomes step 1.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > main.go <<'END'
package main

import (
	"fmt"
	"strings"

	"github.com/tmc/langchaingo/textsplitter"
)

const text = `# Pump

5. Open the valve.
6. Start it:

~~~sh
pump --start
~~~

| day | dose |
|-----|------|
| 1   | 5 mg |
`

func main() {
	for _, withCode := range []bool{false, true} {
		splitter := textsplitter.NewMarkdownTextSplitter(textsplitter.WithChunkSize(500), textsplitter.WithChunkOverlap(0), textsplitter.WithCodeBlocks(withCode))
		pieces, err := splitter.SplitText(text)
		if err != nil {
			panic(err)
		}
		fmt.Printf("with code %v:\n%s\n", withCode, strings.Join(pieces, "\n=====\n"))
	}
}
END
go mod init example.org/finding > setup.txt 2>&1
go get github.com/tmc/langchaingo/textsplitter@v0.1.14 >> setup.txt 2>&1
go list -m github.com/tmc/langchaingo
CGO_ENABLED=0 go run . > seen.txt
cat seen.txt
diff seen.txt - <<'END'
with code false:
# Pump
1. Open the valve.
2. Start it:
| 1 | 5 mg |
with code true:
# Pump
1. Open the valve.
2. Start it:

```sh
pump --start
```

| 1 | 5 mg |
END
