package notice

import (
	"slices"
	"testing"

	"vademecum/internal/base/message"
)

// TestFilledFolders: there is a line for each name, with the first folders of many.
func TestFilledFolders(t *testing.T) {
	all := FoldersFilledByProgramsMessages([]string{"a/CVS", "a/node_modules", "b/node_modules", "c\n/node_modules", "d/node_modules", "e/node_modules"})
	for l, want := range map[message.Language][]string{
		message.English: {
			"1 folder called CVS, filled by programs: a/CVS/; to index one, put the line !CVS/ in a .vademecumignore next to it",
			"5 folders called node_modules, filled by programs: a/node_modules/, b/node_modules/, c\uFFFD/node_modules/ and 2 more (vademecum status FOLDER --why node_modules lists them); to index one, put the line !node_modules/ in a .vademecumignore next to it",
		},
		message.Chinese: {
			"1 个文件夹名为 CVS，由程序填充：a/CVS/；在旁边的 .vademecumignore 中写一行 !CVS/，就会索引",
			"5 个文件夹名为 node_modules，由程序填充：a/node_modules/、b/node_modules/、c\uFFFD/node_modules/，以及另外 2 个（vademecum status FOLDER --why node_modules 会全部列出）；在旁边的 .vademecumignore 中写一行 !node_modules/，就会索引",
		},
	} {
		var got []string
		for _, m := range all {
			got = append(got, m.InLanguage(l))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%v: it says %q, want %q", l, got, want)
		}
	}
	if all := FoldersFilledByProgramsMessages(nil); len(all) != 0 {
		t.Errorf("of none it says %q", all)
	}
}
