#!/usr/bin/env bash
# sentences for Go ends no sentence at a number: "The dose is 10. Take it." is one.
#
# Expected: a full stop behind a number, with a blank and a capital behind it, ends a sentence; in English no ordinal is
# written so.
# Seen with github.com/neurosnap/sentences v1.1.2 and its English model: every number that ends a sentence joins it with
# the next one, and so do "mg" and a capital letter ("vitamin C."), so that a text with doses is a few long sentences.
# Behind words, a percent sign and other units it ends.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > main.go <<'END'
package main

import (
	"fmt"

	"github.com/neurosnap/sentences/english"
)

func main() {
	tokenizer, err := english.NewSentenceTokenizer(nil)
	if err != nil {
		panic(err)
	}
	for _, text := range []string{"Take two tablets. Rest.", "Weigh 70 kg. Then rest.", "It is 50%. Rest.", "The dose is 10. Take it.", "He took 5. She took 6. They left.", "It began in 2020. Then it ended.", "Take 5 mg. Then rest."} {
		fmt.Println(len(tokenizer.Tokenize(text)), text)
	}
}
END

go mod init finding > init.txt 2>&1
go get github.com/neurosnap/sentences@v1.1.2 > get.txt 2>&1 || { cat get.txt; exit 1; }

go list -m github.com/neurosnap/sentences
go run . > seen.txt
cat seen.txt
diff seen.txt - <<'END'
2 Take two tablets. Rest.
2 Weigh 70 kg. Then rest.
2 It is 50%. Rest.
1 The dose is 10. Take it.
1 He took 5. She took 6. They left.
1 It began in 2020. Then it ended.
1 Take 5 mg. Then rest.
END
