#!/usr/bin/env bash
# go-fuzzywuzzy does not find a Chinese word in a list that has it.
#
# Expected: ExtractOne gives the word that is the same, as fuzzball, the same library for JavaScript, does with 100.
# Seen with github.com/paul-mannino/go-fuzzywuzzy v0.0.0-20241117160931-a1769aeb6b21 and fuzzball 2.2.6 (Node 20): all
# that is not ASCII is left out before words are compared, so that each Chinese word is empty, has 0, and the first
# of the list is the best. Ratio alone compares them as they are.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error fuzzball@2.2.6

cat > main.go <<'END'
package main

import (
	"fmt"

	fuzzy "github.com/paul-mannino/go-fuzzywuzzy"
)

func main() {
	for _, list := range [][]string{{"高血压", "糖尿病"}, {"fever", "cough"}} {
		best, err := fuzzy.ExtractOne(list[1], list)
		fmt.Println("go", list[1], best.Match, best.Score, err)
	}
	fmt.Println("go ratio", fuzzy.Ratio("糖尿病", "糖尿病"))
}
END
cat > main.js <<'END'
const { extract } = require('fuzzball')
for (const list of [['高血压', '糖尿病'], ['fever', 'cough']]) console.log('fuzzball', list[1], ...extract(list[1], list, { limit: 1 })[0].slice(0, 2))
END

go mod init example.org/finding > setup.txt 2>&1
go get github.com/paul-mannino/go-fuzzywuzzy@v0.0.0-20241117160931-a1769aeb6b21 >> setup.txt 2>&1
go list -m github.com/paul-mannino/go-fuzzywuzzy
node -p "'fuzzball ' + JSON.parse(fs.readFileSync('node_modules/fuzzball/package.json')).version"
{ go run .; node main.js; } > seen.txt
cat seen.txt
diff seen.txt - <<'END'
go 糖尿病 高血压 0 <nil>
go cough cough 100 <nil>
go ratio 100
fuzzball 糖尿病 糖尿病 100
fuzzball cough cough 100
END
