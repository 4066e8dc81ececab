package mcp

import (
	"fmt"
	"strings"
	"testing"
)

// TestLanguagesOfShortNotes checks the languages of notes of one line, half of them English and
// half Chinese.
func TestLanguagesOfShortNotes(t *testing.T) {
	t.Parallel()
	english := []string{
		"Call the dentist on Monday and ask for an appointment.", "The key is with the neighbours.", "Buy milk.", "Ask Anna for the recipe of the cake.", "How to water the plants when we are away.",
		"The meeting is at ten, not at nine.", "Return the books to the library by Friday.", "What to pack for the trip.", "Pay the rent.", "The car needs to be washed.",
	}
	chinese := []string{"周一给牙医打电话预约", "钥匙在邻居那里", "买牛奶", "向小王要蛋糕的做法", "我们不在家时怎么浇花", "会议是十点，不是九点", "周五前把书还给图书馆", "旅行要带的东西", "交房租", "车该洗了，别忘了"}
	files := make(map[string]string)
	for i := range english {
		files[fmt.Sprintf("note %d.md", i)], files[fmt.Sprintf("笔记 %d.md", i)] = english[i], chinese[i]
	}
	if got := introductionOf(t, files); !strings.Contains(got, "English ") || !strings.Contains(got, "Chinese ") || strings.Contains(got, "more;") {
		t.Errorf("it is %s", got)
	}
}

// TestLanguagesBesideScripts checks that programs and generated files count for no language.
func TestLanguagesBesideScripts(t *testing.T) {
	t.Parallel()
	files := make(map[string]string)
	for i := range 12 {
		files[fmt.Sprintf("briefe/%d.md", i)] = fmt.Sprintf("Lieber Herr Maier,\n\nvielen Dank für den Brief Nummer %d. Ich komme am Freitag mit der Bahn und bleibe bis zum Sonntag.\n", i)
	}
	for i := range 100 {
		files[fmt.Sprintf("scripts/%d.js", i)] = fmt.Sprintf("// com as e o do da os\nexport function a%d(as, e, o) {\n  return as(e, o, %d)\n}\n", i, i)
	}
	files["assets/a.md.Bk0mPz3a.lean.js"] = `import{_ as a,c as e,o as t}from"./chunks/b.js";export{d as __pageData};`
	got := introductionOf(t, files)
	if !strings.Contains(got, "112 documents in ") || !strings.Contains(got, "languages of prose: German 100 %; kinds: ") {
		t.Errorf("it is %s", got)
	}
}

// introductionOf returns the introduction of a folder with some files.
func introductionOf(t *testing.T, files map[string]string) string {
	t.Helper()
	s := serve(t, folder(t, files), Options{})
	connect(t, s, "test").through(`{}`)
	return connect(t, s, "test").InitializeResult().Instructions
}
