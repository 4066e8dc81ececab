package formats

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding/simplifiedchinese"

	"vademecum/docs/extract/extracttest"
)

// The benchmarks measure reading a file from its bytes to its text, in the way in which the server
// reads it.

func benchmarkRead(b *testing.B, name string, raw []byte) {
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		if _, err := Read(b.Context(), name, raw); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkReadPDF reads pages of 45 lines in a child process.
func BenchmarkReadPDF(b *testing.B) {
	const pages = 100
	var page strings.Builder
	for i := range 45 {
		fmt.Fprintf(&page, "BT /F1 10 Tf 50 %d Td (The patient was seen in the morning and again in the evening of that day.) Tj ET\n", 760-15*i)
	}
	benchmarkRead(b, "a.pdf", extracttest.PDF("", slices.Repeat([]string{page.String()}, pages)...))
	b.ReportMetric(float64(pages*b.N)/b.Elapsed().Seconds(), "pages/s")
}

// BenchmarkReadDOCX reads a document with 2 MB of XML in a child process. Its throughput is that of
// the XML.
func BenchmarkReadDOCX(b *testing.B) {
	body := strings.Repeat("<w:p><w:r><w:t>"+strings.Repeat("Plain words of a paragraph. ", 8)+"</w:t></w:r></w:p>", 7000)
	raw := extracttest.Zip(b, "[Content_Types].xml", "", "word/document.xml", "<w:document><w:body>"+body+"</w:body></w:document>")
	for b.Loop() {
		if _, err := Read(b.Context(), "a.docx", raw); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(int64(len(body)))
}

func BenchmarkReadText(b *testing.B) {
	text := strings.Repeat("高血压患者应当限制食盐摄入，每日不超过五克。Most patients need more than one drug.\n", 20_000)
	gb, err := simplifiedchinese.GB18030.NewEncoder().Bytes([]byte(text))
	if err != nil {
		b.Fatal(err)
	}
	b.Run("UTF-8", func(b *testing.B) { benchmarkRead(b, "a.txt", []byte(text)) })
	b.Run("GB18030", func(b *testing.B) { benchmarkRead(b, "a.txt", gb) })
	b.Run("HTML", func(b *testing.B) {
		benchmarkRead(b, "a.html", []byte("<p>"+strings.ReplaceAll(text, "\n", "</p>\n<p>")))
	})
}
