#!/usr/bin/env bash
# Two libraries find that a word of one character, as Chinese has many, is not like itself.
#
# Expected: the similarity of two equal strings is 1, whatever their length.
# Seen with github.com/hbollon/go-edlib v1.7.0 and string-similarity-js 2.1.4 (Node 20), which compare pairs of
# characters: the first gives no number (NaN) for four of its measures, which no sort puts in its place, the second
# 0. By go-edlib's longest common subsequence two strings without a common character are less than unlike: -0.5.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error string-similarity-js@2.1.4

cat > main.go <<'END'
package main

import (
	"fmt"

	"github.com/hbollon/go-edlib"
)

func main() {
	measures := []struct {
		name string
		of   edlib.Algorithm
	}{{"levenshtein", edlib.Levenshtein}, {"cosine", edlib.Cosine}, {"jaccard", edlib.Jaccard}, {"dice", edlib.SorensenDice}, {"q-gram", edlib.Qgram}, {"lcs", edlib.Lcs}}
	for _, pair := range [][2]string{{"糖", "糖"}, {"血糖", "血糖"}, {"血糖", "水"}} {
		fmt.Print("go-edlib ", pair[0], " ", pair[1], ":")
		for _, measure := range measures {
			similarity, err := edlib.StringsSimilarity(pair[0], pair[1], measure.of)
			if err != nil {
				panic(err)
			}
			fmt.Printf(" %s %.2f", measure.name, similarity)
		}
		fmt.Println()
	}
}
END
cat > main.js <<'END'
const { stringSimilarity } = require('string-similarity-js')
for (const word of ['糖', '血糖', '5', '50']) console.log(`string-similarity-js ${word} ${word}: ${stringSimilarity(word, word)}`)
END

go mod init example.org/finding > setup.txt 2>&1
go get github.com/hbollon/go-edlib@v1.7.0 >> setup.txt 2>&1
go list -m github.com/hbollon/go-edlib
node -p "'string-similarity-js ' + JSON.parse(fs.readFileSync('node_modules/string-similarity-js/package.json')).version"
{ go run .; node main.js; } > seen.txt
cat seen.txt
diff seen.txt - <<'END'
go-edlib 糖 糖: levenshtein 1.00 cosine NaN jaccard NaN dice NaN q-gram NaN lcs 1.00
go-edlib 血糖 血糖: levenshtein 1.00 cosine 1.00 jaccard 1.00 dice 1.00 q-gram 1.00 lcs 1.00
go-edlib 血糖 水: levenshtein 0.00 cosine NaN jaccard 0.00 dice 0.00 q-gram 0.00 lcs -0.50
string-similarity-js 糖 糖: 0
string-similarity-js 血糖 血糖: 1
string-similarity-js 5 5: 0
string-similarity-js 50 50: 1
END
