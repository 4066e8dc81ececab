package message

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"testing"
)

func TestNew(t *testing.T) {
	inner := New("damaged mail", "已损坏的邮件")
	for _, c := range []struct {
		message          Message
		english, chinese string
	}{
		{"", "", ""},
		{"plain", "plain", "plain"},
		{New("empty", "空文件"), "empty", "空文件"},
		{New("100 %", "100 %"), "100 %", "100 %"},
		{New("larger than %d MB", "大于 %d MB", 50), "larger than 50 MB", "大于 50 MB"},
		{New("only pages 1 to %d of %d: %v", "共 %[2]d 页，只读取了第 1–%[1]d 页：%[3]v", 3, 9, inner), "only pages 1 to 3 of 9: damaged mail", "共 9 页，只读取了第 1–3 页：已损坏的邮件"},
		{New("%s is not indexed: %v", "%s 未索引：%v", "a; empty", inner), "a; empty is not indexed: damaged mail", "a; empty 未索引：已损坏的邮件"},
		{New("cannot be read: %v", "无法读取：%v", fs.ErrPermission), "cannot be read: permission denied", "无法读取：没有权限"},
		{New("a file called %s", "名为 %s 的文件", "x\x1ey"), "a file called x\uFFFDy", "名为 x\uFFFDy 的文件"},
		{Join("", inner, "", New("empty", "空文件"), "plain"), "damaged mail; empty; plain", "已损坏的邮件；空文件；plain"},
		{Join(), "", ""},
		{inner.WithCode("mail"), "damaged mail", "已损坏的邮件"},
		{Message("plain").WithCode("p"), "plain", "plain"},
	} {
		if e, z, other := c.message.In(English), c.message.In(Chinese), c.message.In("fr"); e != c.english || z != c.chinese || other != e {
			t.Errorf("%q, %q and %q, want %q and %q", e, z, other, c.english, c.chinese)
		}
		var text string
		if blob, err := json.Marshal(c.message); err != nil || json.Unmarshal(blob, &text) != nil || text != c.english || fmt.Sprint(c.message) != c.english {
			t.Errorf("%q: in JSON %s (%v), printed %v", c.english, blob, err, c.message)
		}
		if again := Message(string(c.message)); again != c.message {
			t.Errorf("%q is stored as %q", c.message, again)
		}
	}
}

func TestCode(t *testing.T) {
	m := New("cannot be read: %v", "无法读取：%v", fs.ErrPermission)
	if code := m.WithCode("unread").Code(); code != "unread" {
		t.Errorf("the code is %q", code)
	}
	for _, without := range []Message{"", "plain", m, Join(m.WithCode("unread"), m)} {
		if code := without.Code(); code != "" {
			t.Errorf("%q has the code %q", without, code)
		}
	}
}

func TestTransform(t *testing.T) {
	m := New("a file", "一个文件").WithCode("one").Transform(func(text string) string { return "<" + text + ">" })
	if m.In(English) != "<a file>" || m.In(Chinese) != "<一个文件>" || m.Code() != "one" {
		t.Errorf("%q", m)
	}
}

func TestErrors(t *testing.T) {
	_, missing := os.ReadFile(t.TempDir() + "/none")
	told := Errorf("the index cannot be used yet: %v", "索引暂时无法使用：%v", missing)
	if !errors.Is(told, fs.ErrNotExist) {
		t.Errorf("%v does not wrap its cause", told)
	}
	for _, c := range []struct {
		err              error
		english, chinese string
	}{
		{nil, "", ""},
		{errors.New("as it is"), "as it is", "as it is"},
		{missing, missing.Error(), "open " + missing.(*fs.PathError).Path + ": 没有这样的文件或文件夹"},
		{told, told.Error(), "索引暂时无法使用：open " + missing.(*fs.PathError).Path + ": 没有这样的文件或文件夹"},
		{fmt.Errorf("read a.md: %w", NewError(New("empty", "空文件"))), "read a.md: empty", "read a.md: 空文件"},
	} {
		if m := OfError(c.err); m.In(English) != c.english || m.In(Chinese) != c.chinese {
			t.Errorf("%v is %q and %q, want %q and %q", c.err, m.In(English), m.In(Chinese), c.english, c.chinese)
		}
	}
}

func TestLanguageOf(t *testing.T) {
	for locale, want := range map[string]Language{"": English, "C": English, "en_GB.UTF-8": English, "zh_CN.UTF-8": Chinese, "zh-Hans": Chinese, "ZH": Chinese, "fr": English} {
		if got := LanguageOf(locale); got != want {
			t.Errorf("%q is %q, want %q", locale, got, want)
		}
	}
}
