#!/usr/bin/env bash
# html-to-markdown for Go joins what is folded up with its heading: "Dose 1" and "5 mg" are "Dose 15 mg".
#
# Expected: <summary> is a block of its own, as <dt> and <figcaption> are, and cells of a table, for which its
# ConvertString has no form, are apart by a blank at least.
# Seen with github.com/JohannesKaufmann/html-to-markdown/v2 v2.5.2: the text that follows <summary>, <legend> and
# <caption> stands right behind it, and so do cells and options of a list to choose from. Nothing is said. Text within
# <s> is as valid as any other.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > main.go <<'END'
package main

import (
	"fmt"

	htmltomarkdown "github.com/JohannesKaufmann/html-to-markdown/v2"
)

func main() {
	for _, page := range []string{
		"<dl><dt>Dose 1</dt><dd>5 mg</dd></dl>",
		"<details><summary>Dose 1</summary>5 mg</details>",
		"<fieldset><legend>Dose 1</legend>5 mg</fieldset>",
		"<table><caption>Dose 1</caption><tr><td>5 mg</td><td>10 mg</td></tr></table>",
		"<select><option>Dose 1</option><option>5 mg</option></select>",
		"<p><s>5 mg</s> 10 mg</p>",
	} {
		markdown, err := htmltomarkdown.ConvertString(page)
		fmt.Printf("%s\n  %q %v\n", page, markdown, err)
	}
}
END

go mod init finding > init.txt 2>&1
go get github.com/JohannesKaufmann/html-to-markdown/v2@v2.5.2 > get.txt 2>&1 || { cat get.txt; exit 1; }

go list -m github.com/JohannesKaufmann/html-to-markdown/v2
go run . > seen.txt
cat seen.txt
diff seen.txt - <<'END'
<dl><dt>Dose 1</dt><dd>5 mg</dd></dl>
  "Dose 1\n\n5 mg" <nil>
<details><summary>Dose 1</summary>5 mg</details>
  "Dose 15 mg" <nil>
<fieldset><legend>Dose 1</legend>5 mg</fieldset>
  "Dose 15 mg" <nil>
<table><caption>Dose 1</caption><tr><td>5 mg</td><td>10 mg</td></tr></table>
  "Dose 15 mg10 mg" <nil>
<select><option>Dose 1</option><option>5 mg</option></select>
  "Dose 15 mg" <nil>
<p><s>5 mg</s> 10 mg</p>
  "5 mg 10 mg" <nil>
END
