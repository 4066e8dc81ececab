package notebook

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
)

const notebook4 = `{"cells": [
 {"cell_type": "markdown", "source": ["# A title\n", "![x](data:image/png;base64,AAAA) text"]},
 {"cell_type": "code", "source": [], "outputs": []},
 {"cell_type": "code", "source": "print(1)\nfig", "outputs": [
  {"output_type": "stream", "text": ["\u001b[31mred\u001b[0m\n", "10%\r20%\n"]},
  {"output_type": "display_data", "data": {"image/png": "iVBO", "text/plain": ["<Figure>"]}},
  {"output_type": "execute_result", "data": {"text/plain": "42", "application/json": {"a": 1}}},
  {"output_type": "display_data", "data": {"text/markdown": ["**bold**"], "text/plain": "<Markdown>"}},
  {"output_type": "error", "ename": "KeyError", "evalue": "'x'", "traceback": ["long"]}]},
 {"cell_type": "raw", "source": "as it is"}],
 "metadata": {"title": "Of ranks", "kernelspec": {"language": "python"}, "language_info": []}, "nbformat": 4}`

func TestReadNotebook(t *testing.T) {
	c, err := Read([]byte(notebook4), extract.NoProgress)
	if err != nil {
		t.Fatal(err)
	}
	extracttest.CheckContent(t, c, err)
	const want = "# A title\n![x]() text\n\n```python\nprint(1)\nfig\n```\n\n```\nred\n10%\n20%\n```\n\n" +
		"```\n42\n```\n\nbold\n\n```\nKeyError: 'x'\n```\n\n```\nas it is\n```\n"
	if c.Text != want {
		t.Errorf("got\n%s", c.Text)
	}
	if c.Title != "Of ranks" || c.Form != extract.Markdown {
		t.Errorf("title %q, form %d", c.Title, c.Form)
	}
	var cells []string
	for _, p := range c.Parts {
		line, _, _ := strings.Cut(c.Text[p.StartByte:], "\n")
		cells = append(cells, fmt.Sprint(p.Kind, " ", p.Number, " ", line))
	}
	if want := []string{"cell 1 # A title", "cell 3 ```python", "cell 4 ```"}; !slices.Equal(cells, want) {
		t.Errorf("parts %q, want %q", cells, want)
	}
}

func TestReadNotebook3(t *testing.T) {
	c, err := Read([]byte(`{"worksheets": [{"cells": [
		{"cell_type": "heading", "level": 2, "source": "Old"},
		{"cell_type": "code", "language": "julia", "input": "f(x)", "outputs": [
		 {"output_type": "pyout", "text": ["1"]}, {"output_type": "display_data", "png": "iVBO", "text": "<Figure>"}]}]}],
		"nbformat": 3}`), extract.NoProgress)
	if want := "## Old\n\n```julia\nf(x)\n```\n\n```\n1\n```\n"; err != nil || c.Text != want {
		t.Errorf("%q, %v", c.Text, err)
	}
}

func TestReadNotebookCutsOutput(t *testing.T) {
	long := strings.Repeat("数据", 5000)
	c, err := Read([]byte(`{"cells": [{"cell_type": "code", "outputs": [{"text": "`+long+`"}]}]}`), extract.NoProgress)
	if err != nil || len(c.Text) > maxOutput+20 || !strings.Contains(c.Text, "数据") || !strings.HasSuffix(c.Text, "\n…\n```\n") {
		t.Errorf("%d bytes, %v", len(c.Text), err)
	}
}

func TestPlainStrong(t *testing.T) {
	for in, want := range map[string]string{
		"**Lorem** ipsum": "Lorem ipsum", "这是**重点**内容": "这是重点内容", "* item\n* item": "* item\n* item",
		"`2**3**4` **x**": "`2**3**4` x", "$a**b**c$": "$a**b**c$", "```\n**x**\n``` **y**": "```\n**x**\n``` y", "a ** b ** c": "a ** b ** c",
	} {
		if got := removeStrong(in); got != want {
			t.Errorf("removeStrong(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestReadNotebookDamaged(t *testing.T) {
	for raw, reason := range map[string]string{
		``: errDamaged.Error(), `{"cells": [`: errDamaged.Error(), `[]`: errDamaged.Error(), `{}`: errDamaged.Error(),
		strings.Repeat(`{"cells":[`, 100_000): errDamaged.Error(),
		`{"cells": []}`:                       extract.ErrNoText.Error(),
	} {
		if _, err := Read([]byte(raw), extract.NoProgress); err == nil || err.Error() != reason {
			t.Errorf("%.20s: %v, want %s", raw, err, reason)
		}
	}
}

func FuzzReadNotebook(f *testing.F) {
	f.Add([]byte(notebook4))
	f.Add([]byte(`{"worksheets": [{"cells": [{"cell_type": "heading", "level": "x", "source": null}]}]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := Read(raw, extract.NoProgress)
		extracttest.CheckContent(t, c, err)
	})
}
