#!/usr/bin/env bash
# html2text for Go joins the cells of a table: "5" beside "7.5" is 57.5.
#
# Expected: cells are apart by a blank, a tab or a line, as paragraphs and items of lists are.
# Seen with github.com/k3a/html2text v1.3.0: all cells and rows are one word, and so are term and meaning in a list of
# definitions (<dl>).
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > main.go <<'END'
package main

import (
	"fmt"

	"github.com/k3a/html2text"
)

func main() {
	for _, html := range []string{
		"<p>Pills</p><p>a day</p>",
		"<table><tr><th>Day</th><th>mg</th></tr><tr><td>Monday 5</td><td>7.5</td></tr></table>",
		"<dl><dt>mg</dt><dd>a thousandth of a gram</dd></dl>",
	} {
		fmt.Printf("%q\n", html2text.HTML2Text(html))
	}
}
END
go mod init example.org/finding > go.txt 2>&1
go get github.com/k3a/html2text@v1.3.0 >> go.txt 2>&1
go list -m github.com/k3a/html2text
CGO_ENABLED=0 go run . > seen.txt
cat seen.txt
diff seen.txt - <<'END'
"Pills\r\n\r\na day"
"DaymgMonday 57.5"
"mga thousandth of a gram"
END
