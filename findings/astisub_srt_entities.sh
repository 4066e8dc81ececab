#!/usr/bin/env bash
# go-astisub turns WebVTT into SRT with the entities of WebVTT, which SRT does not have.
#
# Expected: `&lt;` and `&amp;` of WebVTT are < and & in SRT, where they are written as they are.
# Seen with github.com/asticode/go-astisub v0.34.0: they stay, so that a player of SRT shows them. Its own reader of SRT
# takes them for < and &, so that what it wrote seems right to it.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > main.go <<'END'
package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/asticode/go-astisub"
)

func main() {
	text := "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann>Salt &amp; water, &lt; 3 g</v>\n"
	subtitles, err := astisub.ReadFromWebVTT(strings.NewReader(text))
	if err != nil {
		panic(err)
	}
	fmt.Println(subtitles.Items[0].String())
	var srt bytes.Buffer
	if err := subtitles.WriteToSRT(&srt); err != nil {
		panic(err)
	}
	fmt.Println(strings.Split(srt.String(), "\n")[2])
	again, err := astisub.ReadFromSRT(&srt)
	if err != nil {
		panic(err)
	}
	fmt.Println(again.Items[0].String())
}
END
go mod init example.org/finding > go.txt 2>&1
go get github.com/asticode/go-astisub@v0.34.0 >> go.txt 2>&1
go list -m github.com/asticode/go-astisub
CGO_ENABLED=0 go run . > seen.txt
cat seen.txt
diff seen.txt - <<'END'
Salt & water, < 3 g
Salt &amp; water, &lt; 3 g
Salt & water, < 3 g
END
