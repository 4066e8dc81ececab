#!/usr/bin/env bash
# langchaingo's loader for HTML joins all that a page has, with nothing between: a model reads "Take 510 mg57.5".
#
# Expected: headings, paragraphs, cells and items are apart by a line or a blank, and the text of a page is text.
# Seen with github.com/tmc/langchaingo v0.1.14: the loader writes them as one word where the HTML has no white space
# between its elements, as programs write it, and "<" stays &lt;. The name of the page (title) is left out. Where lines
# part the elements, lines part the text.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > main.go <<'END'
package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/tmc/langchaingo/documentloaders"
)

func main() {
	page := "<html><head><title>Plan</title></head>|<body>|<h1>Dose</h1>|<p>Take 5</p>|<p>10 mg</p>|<table>|<tr>|<td>5</td>|<td>7.5</td>|</tr>|</table>|<p>5 &lt; 7<br>days</p>|</body></html>"
	for _, between := range []string{"", "\n"} {
		documents, err := documentloaders.NewHTML(strings.NewReader(strings.ReplaceAll(page, "|", between))).Load(context.Background())
		if err != nil {
			panic(err)
		}
		for _, document := range documents {
			fmt.Printf("%q %v\n", document.PageContent, document.Metadata)
		}
	}
}
END
go mod init example.org/finding > go.txt 2>&1
go get github.com/tmc/langchaingo@v0.1.14 github.com/tmc/langchaingo/documentloaders@v0.1.14 >> go.txt 2>&1
CGO_ENABLED=0 go run . > seen.txt
go list -m github.com/tmc/langchaingo
cat seen.txt
diff seen.txt - <<'END'
"DoseTake 510 mg57.55 &lt; 7days" map[]
"Dose\nTake 5\n10 mg\n\n\n5\n7.5\n\n\n5 &lt; 7days" map[]
END
