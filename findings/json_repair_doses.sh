#!/usr/bin/env bash
# Two libraries that repair the JSON of models make 0 of a range of doses and of a date, and lose .5 altogether.
#
# Expected: what is no number in JSON becomes a text, as jsonrepair and others have it ("5-10"), or a number of the
# same value (0.5), or an error is told.
# Seen with github.com/RealAlexandreAI/json-repair v0.0.18 for Go and json-repair-js 1.0.0 (Node 20): the first makes 0
# of 5-10, 1/2 and 2026-03-05, 9 of 09:30 and 7 of 007; the second makes "" of .5 and ≤5, with a field called 5 beside
# it. In valid JSON the first cuts the end of a text that ends with three backticks, as a block of code does.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > main.go <<'END'
package main

import (
	"fmt"

	jsonrepair "github.com/RealAlexandreAI/json-repair"
)

func main() {
	for _, text := range []string{`{"dose": 5`, `{"dose": 5-10}`, `{"dose": 1/2}`, `{"day": 2026-03-05}`, `{"time": 09:30}`, `{"shelf": 007}`, "{\"code\": \"```\\nx = 5\\n```\"}"} {
		repaired, err := jsonrepair.RepairJSON(text)
		fmt.Println("Go:", text, "->", repaired, err)
	}
}
END
go mod init finding > init.txt 2>&1
go get github.com/RealAlexandreAI/json-repair@v0.0.18 > get.txt 2>&1 || { cat get.txt; exit 1; }
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error json-repair-js@1.0.0 jsonrepair@3.15.0
cat > repair.mjs <<'END'
import { loads } from 'json-repair-js'
import { jsonrepair } from 'jsonrepair'
for (const text of ['{"dose": .5}', '{"dose": ≤5}', '{"dose": 5-10}', '{"shelf": 007}']) {
  console.log(`json-repair-js: ${text} -> ${JSON.stringify(loads(text))}; jsonrepair: ${jsonrepair(text)}`)
}
END

go list -m github.com/RealAlexandreAI/json-repair
for name in json-repair-js jsonrepair; do node -p "'$name ' + JSON.parse(fs.readFileSync('node_modules/$name/package.json')).version"; done
{ go run .; node repair.mjs; } > seen.txt
cat seen.txt
diff seen.txt - <<'END'
Go: {"dose": 5 -> {"dose":5} <nil>
Go: {"dose": 5-10} -> {"dose":0} <nil>
Go: {"dose": 1/2} -> {"dose":0} <nil>
Go: {"day": 2026-03-05} -> {"day":0} <nil>
Go: {"time": 09:30} -> {"time":9} <nil>
Go: {"shelf": 007} -> {"shelf":7} <nil>
Go: {"code": "```\nx = 5\n```"} -> {"code":"```\nx = 5"} <nil>
json-repair-js: {"dose": .5} -> {"5":"","dose":""}; jsonrepair: {"dose": 0.5}
json-repair-js: {"dose": ≤5} -> {"5":"","dose":""}; jsonrepair: {"dose": "≤5"}
json-repair-js: {"dose": 5-10} -> {"dose":"5-10"}; jsonrepair: {"dose": "5-10"}
json-repair-js: {"shelf": 007} -> {"shelf":7}; jsonrepair: {"shelf": "007"}
END
