#!/usr/bin/env bash
# langchaingo's splitter for Markdown drops the head of a table that has a line of text above it.
#
# Expected: a row of a table comes with the head that says what its cells are; steps keep their numbers.
# Seen with github.com/tmc/langchaingo v0.1.14: where rows are kept together, the head is in no chunk; where each row is
# a chunk, the first one stands below the line of text without it. A table that nothing precedes has its head. A list
# from 3 begins with 1, and the second paragraph of a step is a step of its own.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > main.go <<'END'
package main

import (
	"fmt"

	"github.com/tmc/langchaingo/textsplitter"
)

const table = "| drug | mg |\n|---|---|\n| Tea | 5 |\n| Coffee | 7 |\n| Milk | 9 |\n"

func main() {
	for _, text := range []string{
		table,
		"Not together:\n\n" + table,
		"3. Boil it.\n\n   It takes a minute.\n4. Drink it.\n",
	} {
		for _, joined := range []bool{false, true} {
			splitter := textsplitter.NewMarkdownTextSplitter(textsplitter.WithChunkSize(1000), textsplitter.WithChunkOverlap(0), textsplitter.WithJoinTableRows(joined))
			chunks, err := splitter.SplitText(text)
			fmt.Printf("joined %v: %q %v\n", joined, chunks, err)
		}
	}
}
END
go mod init example.org/finding > go.txt 2>&1
go get github.com/tmc/langchaingo@v0.1.14 github.com/tmc/langchaingo/textsplitter@v0.1.14 >> go.txt 2>&1
CGO_ENABLED=0 go run . > seen.txt
go list -m github.com/tmc/langchaingo
cat seen.txt
diff seen.txt - <<'END'
joined false: ["| drug | mg |\n| --- | --- |\n| Tea | 5 |" "| drug | mg |\n| --- | --- |\n| Coffee | 7 |" "| drug | mg |\n| --- | --- |\n| Milk | 9 |"] <nil>
joined true: ["| drug | mg |\n| --- | --- |\n| Tea | 5 |\n| Coffee | 7 |\n| Milk | 9 |"] <nil>
joined false: ["Not together:\n| Tea | 5 |" "| drug | mg |\n| --- | --- |\n| Coffee | 7 |" "| drug | mg |\n| --- | --- |\n| Milk | 9 |"] <nil>
joined true: ["Not together:\n| Tea | 5 |\n| Coffee | 7 |\n| Milk | 9 |"] <nil>
joined false: ["1. Boil it.\n2. It takes a minute.\n3. Drink it."] <nil>
joined true: ["1. Boil it.\n2. It takes a minute.\n3. Drink it."] <nil>
END
