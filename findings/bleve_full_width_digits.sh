#!/usr/bin/env bash
# bleve drops digits of full width, as Chinese texts have them, also with its analyzer for Chinese.
#
# Expected: ２５０ is found as 250: the analyzer "cjk" has a filter that makes full-width forms those of half width.
# Seen with github.com/blevesearch/bleve/v2 v2.6.3: letters become those of half width, but digits are no word for its
# tokenizer and are not in the index at all, with "standard" neither: 维生素Ｂ１２ is found as B, and of ２５０微克 only
# the unit is left.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > main.go <<'END'
package main

import (
	"fmt"

	_ "github.com/blevesearch/bleve/v2/analysis/analyzer/standard"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/cjk"
	"github.com/blevesearch/bleve/v2/registry"
)

func main() {
	for _, name := range []string{"cjk", "standard"} {
		analyzer, err := registry.NewCache().AnalyzerNamed(name)
		if err != nil {
			panic(err)
		}
		for _, text := range []string{"每天250微克", "每天２５０微克", "Ｂ１２ ＡＢＣ"} {
			fmt.Printf("%s %s:", name, text)
			for _, token := range analyzer.Analyze([]byte(text)) {
				fmt.Printf(" %s", token.Term)
			}
			fmt.Println()
		}
	}
}
END
go mod init example.org/finding > setup.txt 2>&1
go get github.com/blevesearch/bleve/v2@v2.6.3 >> setup.txt 2>&1
go list -m github.com/blevesearch/bleve/v2
CGO_ENABLED=0 go run . > seen.txt
cat seen.txt
diff seen.txt - <<'END'
cjk 每天250微克: 每天 250 微克
cjk 每天２５０微克: 每天 微克
cjk Ｂ１２ ＡＢＣ: b abc
standard 每天250微克: 每 天 250 微 克
standard 每天２５０微克: 每 天 微 克
standard Ｂ１２ ＡＢＣ: ｂ ａｂｃ
END
