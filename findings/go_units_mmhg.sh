#!/usr/bin/env bash
# go-units makes 1600 kPa of a blood pressure of 120 mmHg, a hundred times as much, and calls it metres of mercury.
#
# Expected: mmHg is a millimetre of mercury, as Torr is, nearly, so that 120 are 16 kPa; t is a metric ton.
# Seen with github.com/bcicen/go-units v1.0.5: the symbol of a metre of mercury is mmHg, and that of a millimetre
# mmmHg, as "m" is put before the symbol once more; both are also a tenth of what they are, so that 120 "millimeter of
# Mercury" are 1.6 kPa. So it is with water (mmH2O). t is the British ton, and pt the British pint.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > main.go <<'END'
package main

import (
	"fmt"

	units "github.com/bcicen/go-units"
)

func main() {
	for _, question := range []struct {
		amount   float64
		from, to string
	}{{120, "mmHg", "kPa"}, {120, "millimeter of Mercury", "kPa"}, {120, "Torr", "kPa"}, {10, "mmH2O", "kPa"}, {1, "t", "kg"}, {1, "Mg", "kg"}, {1, "pt", "ml"}} {
		from, err := units.Find(question.from)
		if err != nil {
			panic(err)
		}
		to, err := units.Find(question.to)
		if err != nil {
			panic(err)
		}
		value, err := units.ConvertFloat(question.amount, from, to)
		if err != nil {
			panic(err)
		}
		fmt.Printf("%v %s (%s) = %.1f %s\n", question.amount, question.from, from.Name, value.Float(), question.to)
	}
}
END

go mod init finding > init.txt 2>&1
go get github.com/bcicen/go-units@v1.0.5 > get.txt 2>&1 || { cat get.txt; exit 1; }

go list -m github.com/bcicen/go-units
go run . > seen.txt
cat seen.txt
diff seen.txt - <<'END'
120 mmHg (meter of Mercury) = 1599.9 kPa
120 millimeter of Mercury (millimeter of Mercury) = 1.6 kPa
120 Torr (torr) = 16.0 kPa
10 mmH2O (meter of Water Column) = 9.8 kPa
1 t (ton) = 1016.0 kg
1 Mg (megagram) = 1000.0 kg
1 pt (pint) = 568.3 ml
END
