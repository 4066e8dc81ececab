package extract

import (
	"strings"
	"testing"
)

// What a file costs from its bytes to its text, by the way that a server takes.

func benchmarkRead(b *testing.B, name string, raw []byte) {
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		if _, err := Read(b.Context(), name, raw); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkReadPDF reads pages of 45 lines in a child.
func BenchmarkReadPDF(b *testing.B) {
	const pages = 100
	var p testPDF
	for range pages {
		var lines []testLine
		for i := range 45 {
			lines = append(lines, testLine{50, 760 - 15*i, "The patient was seen in the morning and again in the evening of that day."})
		}
		p.pages = append(p.pages, testLines(lines...))
	}
	benchmarkRead(b, "a.pdf", p.bytes())
	b.ReportMetric(float64(pages*b.N)/b.Elapsed().Seconds(), "pages/s")
}

// BenchmarkReadDOCX reads a document of 2 MB of XML in a child; MB are of XML.
func BenchmarkReadDOCX(b *testing.B) {
	body := strings.Repeat(para("", strings.Repeat("Plain words of a paragraph. ", 8)), 7000)
	raw := docxOf(b, body)
	b.Run("child", func(b *testing.B) {
		for b.Loop() {
			if _, err := Read(b.Context(), "a.docx", raw); err != nil {
				b.Fatal(err)
			}
		}
		b.SetBytes(int64(len(body)))
	})
	b.Run("here", func(b *testing.B) {
		for b.Loop() {
			if _, err := readDOCX(raw, Unwatched); err != nil {
				b.Fatal(err)
			}
		}
		b.SetBytes(int64(len(body)))
	})
}

func BenchmarkReadText(b *testing.B) {
	text := strings.Repeat("高血压患者应当限制食盐摄入，每日不超过五克。Most patients need more than one drug.\n", 20_000)
	b.Run("UTF-8", func(b *testing.B) { benchmarkRead(b, "a.txt", []byte(text)) })
	b.Run("GB18030", func(b *testing.B) { benchmarkRead(b, "a.txt", encodeWith(b, "GB18030", text)) })
	b.Run("HTML", func(b *testing.B) {
		benchmarkRead(b, "a.html", []byte("<p>"+strings.ReplaceAll(text, "\n", "</p>\n<p>")))
	})
}
