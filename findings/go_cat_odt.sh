#!/usr/bin/env bash
# lu4p/cat reads no headings, lists, tables and emphasised words of an ODT, and loses the beginning of an RTF.
#
# Expected: the text of a document is all that it shows, with a table of fonts or without, and with words in bold.
# Seen with github.com/lu4p/cat v0.1.5, made to extract text from .odt, .rtf and others: of an ODT only the words right
# in a paragraph of its own are left, so that "Take 5 mg" with the dose in bold is "Take". Of an RTF it loses all before
# the first \par, where no font comes first, and else the name of the font is text; words after \b0 are lost, and so is
# each character written as \u, which Chinese is.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > main.go <<'END'
package main

import (
	"archive/zip"
	"fmt"
	"os"

	"github.com/lu4p/cat"
)

const start = `<?xml version="1.0" encoding="UTF-8"?><office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"><office:body><office:text>`

func main() {
	for _, body := range []string{
		`<text:h text:outline-level="1">Dose</text:h><text:p>Take <text:span text:style-name="Bold">5 mg</text:span> daily.</text:p>`,
		`<text:list><text:list-item><text:p>Not with milk</text:p></text:list-item></text:list><text:p>Ask us.</text:p>`,
		`<table:table><table:table-row><table:table-cell><text:p>7.5</text:p></table:table-cell></table:table-row></table:table><text:p>End.</text:p>`,
	} {
		writeODT("plan.odt", start+body+`</office:text></office:body></office:document-content>`)
		show("plan.odt", body)
	}
	for _, rtf := range []string{
		`{\rtf1\ansi Dose: 5 mg\par Next\par}`,
		`{\rtf1\ansi{\fonttbl{\f0 Arial;}}\f0 Dose: 5 mg\par Take it \b now\b0 , please.\par}`,
		`{\rtf1\ansi{\fonttbl{\f0 Arial;}}\f0\uc1 Dose\par \u27599?\u22825? 5.5\par}`,
	} {
		if err := os.WriteFile("plan.rtf", []byte(rtf), 0o600); err != nil {
			panic(err)
		}
		show("plan.rtf", rtf)
	}
}

func show(name, written string) {
	text, err := cat.File(name)
	fmt.Printf("%s\n  %q %v\n", written, text, err)
}

func writeODT(name, content string) {
	file, err := os.Create(name)
	if err != nil {
		panic(err)
	}
	archive := zip.NewWriter(file)
	for _, part := range []struct{ name, text string }{{"mimetype", "application/vnd.oasis.opendocument.text"}, {"content.xml", content}} {
		writer, err := archive.CreateHeader(&zip.FileHeader{Name: part.name, Method: zip.Store})
		if err != nil {
			panic(err)
		}
		fmt.Fprint(writer, part.text)
	}
	if err := archive.Close(); err != nil {
		panic(err)
	}
	file.Close()
}
END
go mod init example.org/finding > go.txt 2>&1
go get github.com/lu4p/cat@v0.1.5 >> go.txt 2>&1
CGO_ENABLED=0 go run . > seen.txt
go list -m github.com/lu4p/cat
cat seen.txt
diff seen.txt - <<'END'
<text:h text:outline-level="1">Dose</text:h><text:p>Take <text:span text:style-name="Bold">5 mg</text:span> daily.</text:p>
  "Take  daily.\n" <nil>
<text:list><text:list-item><text:p>Not with milk</text:p></text:list-item></text:list><text:p>Ask us.</text:p>
  "Ask us.\n" <nil>
<table:table><table:table-row><table:table-cell><text:p>7.5</text:p></table:table-cell></table:table-row></table:table><text:p>End.</text:p>
  "End.\n" <nil>
{\rtf1\ansi Dose: 5 mg\par Next\par}
  " Next " <nil>
{\rtf1\ansi{\fonttbl{\f0 Arial;}}\f0 Dose: 5 mg\par Take it \b now\b0 , please.\par}
  "ArialDose: 5 mg Take it now " <nil>
{\rtf1\ansi{\fonttbl{\f0 Arial;}}\f0\uc1 Dose\par \u27599?\u22825? 5.5\par}
  "Arial  " <nil>
END
