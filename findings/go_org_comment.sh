#!/usr/bin/env bash
# go-org's writer of Org takes the word COMMENT from a heading, and with it what kept the section out of every
# export.
#
# Expected: a document that is parsed and written as Org has the same headings: tags, states, priorities and
# :ARCHIVE: are kept.
# Seen with github.com/niklasfasching/go-org v1.9.1: "** COMMENT Draft" is written as "** Draft". The writer of HTML
# leaves the section out; of what the writer of Org made it shows it.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > main.go <<'END'
package main

import (
	"fmt"
	"strings"

	"github.com/niklasfasching/go-org/org"
)

func main() {
	text := "* TODO [#A] Plan :garden:\nTulips.\n** COMMENT Draft\nNot for others.\n"
	write := func(text string, writer org.Writer) string {
		result, err := org.New().Silent().Parse(strings.NewReader(text), "plan.org").Write(writer)
		if err != nil {
			panic(err)
		}
		return result
	}
	again := write(text, org.NewOrgWriter())
	fmt.Println(strings.Join(strings.Fields(strings.ReplaceAll(again, "\n", " / ")), " "))
	for _, org := range []struct{ name, text string }{{"as it was", text}, {"written anew", again}} {
		fmt.Println(org.name+": shows the draft:", strings.Contains(writeHTML(org.text), "Not for others."))
	}
}

func writeHTML(text string) string {
	result, err := org.New().Silent().Parse(strings.NewReader(text), "plan.org").Write(org.NewHTMLWriter())
	if err != nil {
		panic(err)
	}
	return result
}
END
go mod init example.org/finding > go.txt 2>&1
go get github.com/niklasfasching/go-org@v1.9.1 >> go.txt 2>&1
go list -m github.com/niklasfasching/go-org
CGO_ENABLED=0 go run . > seen.txt
cat seen.txt
diff seen.txt - <<'END'
* TODO [#A] Plan :garden: / Tulips. / ** Draft / Not for others. /
as it was: shows the draft: false
written anew: shows the draft: true
END
