#!/usr/bin/env bash
# go-humanize takes the first letter of a unit for a prefix: 5 min are 0.005 in, and 5 Pa 5 000 000 000 000 000 a.
#
# Expected: ParseSI gives the number and the unit of what it writes itself, such as "2.2345 pF"; a letter that belongs
# to the unit, as in min, mol, Pa, T and m, stays with it.
# Seen with github.com/dustin/go-humanize v1.1.0: 5 m (metres) are 0.005 without a unit, and so are the 5 m that SI
# writes for 5 metres. "1,5 mg" is 1 with the unit ",5 mg", and 5e3 g is 5 with the unit "e3 g". No error is told. "5
# ug" is no multiple of a gram, where "5 µg" is.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > main.go <<'END'
package main

import (
	"fmt"

	"github.com/dustin/go-humanize"
)

func main() {
	for _, text := range []string{"5 mg", "5 min", "5 mol", "5 Pa", "5 mmHg", humanize.SI(5, "m"), "1,5 mg", "5e3 g", "5 ug"} {
		value, unit, err := humanize.ParseSI(text)
		fmt.Printf("%s -> %g %q %v\n", text, value, unit, err)
	}
}
END

go mod init finding > init.txt 2>&1
go get github.com/dustin/go-humanize@v1.1.0 > get.txt 2>&1 || { cat get.txt; exit 1; }

go list -m github.com/dustin/go-humanize
go run . > seen.txt
cat seen.txt
diff seen.txt - <<'END'
5 mg -> 0.005 "g" <nil>
5 min -> 0.005 "in" <nil>
5 mol -> 0.005 "ol" <nil>
5 Pa -> 5e+15 "a" <nil>
5 mmHg -> 0.005 "mHg" <nil>
5 m -> 0.005 "" <nil>
1,5 mg -> 1 ",5 mg" <nil>
5e3 g -> 5 "e3 g" <nil>
5 ug -> 5 "ug" <nil>
END
