package cli

import (
	"fmt"
	"testing"

	"vademecum/index"
	"vademecum/internal/base/message"
)

// TestGuessedAreGrouped checks that many files of one encoding take one line, and a few are listed.
func TestGuessedAreGrouped(t *testing.T) {
	all := []index.GuessedEncoding{{Path: "letter.txt", Encoding: "Big5"}}
	for i := range fewGuessed + 1 {
		all = append(all, index.GuessedEncoding{Path: fmt.Sprintf("book %d.txt", i), Encoding: "GB18030"})
	}
	for l, want := range map[message.Language]string{
		message.English: "encoding guessed: letter.txt is read as Big5\nencoding guessed: 4 files are read as GB18030, such as book 0.txt\n",
		message.Chinese: "推测的编码：letter.txt 按 Big5 读取\n推测的编码：4 个文件按 GB18030 读取，例如 book 0.txt\n",
	} {
		p := program{chosenLanguage: l}
		if p.printGuessedEncodings(all); p.out.String() != want {
			t.Errorf("%s: %s", l, p.out.String())
		}
	}
}
