#!/usr/bin/env bash
# go-vcard cuts a name or an address at a semicolon that is escaped, and writes such a card anew as another one.
#
# Expected: `\;` within a field of an address (RFC 6350) belongs to its text, as `\,` does; a card that is decoded
# and encoded says the same as before.
# Seen with github.com/emersion/go-vcard v0.0.0-20260618161152-d854b7e0e2d3: "1 Main St; rear" is a street "1 Main
# St\" in a city "rear", which moves city and country by one; encoded again, `\;` is `\\;`, so that other readers
# cut there, too.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > main.go <<'END'
package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/emersion/go-vcard"
)

func main() {
	text := "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ann Roe\r\nADR:;;1 Main St\\; rear;Leeds;;;UK\r\nNOTE:tea\\, milk\r\nEND:VCARD\r\n"
	card, err := vcard.NewDecoder(strings.NewReader(text)).Decode()
	if err != nil {
		panic(err)
	}
	address := card.Address()
	fmt.Printf("street %q, locality %q, region %q, country %q\n", address.StreetAddress, address.Locality, address.Region, address.Country)
	if err := vcard.NewEncoder(os.Stdout).Encode(card); err != nil {
		panic(err)
	}
}
END
go mod init example.org/finding > go.txt 2>&1
go get github.com/emersion/go-vcard@v0.0.0-20260618161152-d854b7e0e2d3 >> go.txt 2>&1
go list -m github.com/emersion/go-vcard
CGO_ENABLED=0 go run . | tr -d '\r' > seen.txt
cat seen.txt
diff seen.txt - <<'END'
street "1 Main St\\", locality " rear", region "Leeds", country ""
BEGIN:VCARD
VERSION:4.0
ADR:;;1 Main St\\; rear;Leeds;;;UK
FN:Ann Roe
NOTE:tea\, milk
END:VCARD
END
