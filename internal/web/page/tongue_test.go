package page

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"vademecum/docs/formats"
	"vademecum/index"
	"vademecum/index/say"
)

// saidIn are the sentences that templates and the package say in English.
func saidIn(t *testing.T) map[string]bool {
	t.Helper()
	all := make(map[string]bool)
	for pattern, find := range map[string]*regexp.Regexp{
		"templates/*.html": regexp.MustCompile(`\bt "([^"]+)"`),
		"*.go":             regexp.MustCompile(`(?:\.Say\(|[. ]fail\([^"\n]*|askToken\([^"\n]*|Name: |addSame\()"([^"]+)"`),
	} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range find.FindAllStringSubmatch(string(text), -1) {
				all[m[1]] = true
			}
		}
	}
	for _, p := range index.Parameters {
		if p.Field != "" {
			all[p.Label], all[p.Hint] = true, true
		}
	}
	for kind := range formats.Kinds() {
		all[kind] = true
	}
	for _, name := range languageNames {
		all[name] = true
	}
	return all
}

// notSaid are names, which are the same in each language.
var notSaid = regexp.MustCompile(`^(vademecum|Vademecum|nDCG@10|MRR@10|Recall@\d+|English|中文|[\d-]+|__Host-.*)$`)

// TestChinese: all that pages say has its Chinese, with the same values in it.
func TestChinese(t *testing.T) {
	verbs := regexp.MustCompile(`%[.\d]*[a-z]`)
	all := saidIn(t)
	for english := range all {
		said, ok := chinese[english]
		if !ok && !notSaid.MatchString(english) {
			t.Errorf("not in Chinese: %q", english)
		}
		if a, b := verbs.FindAllString(english, -1), verbs.FindAllString(said, -1); ok && strings.Join(a, "") != strings.Join(b, "") {
			t.Errorf("%q has %v and %q has %v", english, a, said, b)
		}
	}
	for english := range chinese {
		if !all[english] && !strings.HasSuffix(english, " (count)") && !said(english) {
			t.Errorf("nobody says %q", english)
		}
	}
}

// said are sentences that come from elsewhere, or by a variable.
func said(english string) bool {
	for _, s := range []string{
		"text", "resource", "both", "mostly links", "a change log", "a licence", "a bibliography", "a pointer to another document", "made by a machine", "others", "English", "Cline in VS Code", "Cline in a terminal",
	} {
		if s == english {
			return true
		}
	}
	return false
}

func TestPlaces(t *testing.T) {
	for english, want := range map[string]string{
		"lines 12-40": "第 12–40 行", "line 3": "第 3 行", "page 3": "第 3 页", "slides 2-4": "第 2–4 张幻灯片", "sheet 1 (Budget, lines 2-3), rows 5-9": "第 1 个工作表（Budget, lines 2-3） 第 5–9 行",
		"chapter 2 (One (1))": "第 2 章（One (1)）", "sheet 1, row 4 to sheet 2, row 9": "第 1 个工作表 第 4 行 至第 2 个工作表 第 9 行", "": "",
	} {
		if got := tongues[1].Place(english); got != want {
			t.Errorf("%s is %q, want %q", english, got, want)
		}
	}
	if got := tongues[0].Place("lines 12-40"); got != "lines 12-40" {
		t.Error(got)
	}
}

// TestNotes: each kind of note has words in both languages.
func TestNotes(t *testing.T) {
	for _, kind := range []say.Kind{
		say.QuestionRefused, say.ModelSlow, say.ModelFails, say.ModelChanged, say.NoPath, say.NoTag, say.NoKey, say.NoValue, say.NoDate, say.NoneOfAll, say.NoDocument, say.NotInThose, say.UnknownWords,
		say.RunFailed, say.BeingBuilt, say.BeingScanned, say.WasScanned, say.ProcessSilent, say.ProcessBehind, say.FolderSilent, say.FolderMissing, say.FolderStrayed, say.FolderUnlike, say.Unwatched, say.AtIntervals, say.WithoutVector, say.VectorsRefused,
	} {
		n := say.Note{Kind: kind, Path: "PATH", Words: []string{"WORD"}, Model: "MODEL", Why: "WHY", PID: 77, For: time.Second, Count: 3, Done: 4, Total: 5}
		if got := tongues[1].Note(n); got == n.String() || strings.Contains(got, "%!") {
			t.Errorf("%s: %s", kind, got)
		}
		if got := tongues[0].Note(n); got != n.String() {
			t.Errorf("%s: %s", kind, got)
		}
	}
}

// TestConditions: dates that a filter asks for are said in Chinese.
func TestConditions(t *testing.T) {
	for want, n := range map[string]say.Note{
		"没有 2020 及以前 的文档，最近的日期是 2024-03-02。":              {Kind: say.NoDate, Path: "before 2020", Words: []string{"2024-03-02"}},
		"没有同时符合所有条件的文档：#x (3)、2020 及以后 (4)、before=x (1)。": {Kind: say.NoneOfAll, Words: []string{"#x (3)", "after 2020 (4)", "before=x (1)"}},
	} {
		if got := tongues[1].Note(n); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1234: "-1,234", -123: "-123"} {
		if got := grouped(n); got != want {
			t.Errorf("%d is %s", n, got)
		}
	}
	for d, want := range map[time.Duration]string{10 * time.Second: "less than a minute ago", 61 * time.Second: "1 minute ago", 3 * time.Hour: "3 hours ago", 80 * time.Hour: "3 days ago"} {
		if got := tongues[0].Ago(time.Now().Add(-d)); got != want {
			t.Errorf("%s: %s", d, got)
		}
	}
	if got := tongues[1].Ago(time.Now().Add(-3 * time.Hour)); got != "3 小时前" {
		t.Error(got)
	}
}

func TestReason(t *testing.T) {
	for english, want := range map[string]string{
		"empty": "空文件", "damaged PDF": "已损坏的 PDF", "made by a machine: lock file": "机器生成：锁文件", "old Word format (.doc): save it as .docx": "旧的 Word 格式（.doc）：请另存为 .docx",
		"something else": "something else", "cannot be read: permission denied": "无法读取：没有权限", "3 slides could not be read completely; changes all the time and is read every 1m0s": "3 张幻灯片未能完整读取；不断变化，每 1m0s 读取一次",
		"only pages 1 to 4 of 9: the rest is damaged": "共 9 页，只读取了第 1–4 页：其余部分已损坏", "a; b.md is not indexed: symbolic link out of the folder, not followed": "a; b.md 未索引：指向文件夹外部的符号链接，不跟随", "picture (.svg): export it as PDF if its words are to be found": "图片（.svg）：若要查找其中的文字，请导出为 PDF",
	} {
		if got := tongues[1].reason(english); got != want {
			t.Errorf("%s is %q, want %q", english, got, want)
		}
		if got := tongues[0].reason(english); got != english {
			t.Error(got)
		}
	}
}
