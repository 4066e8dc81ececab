package extracttest

import (
	"fmt"
	"strings"
)

// PDF returns a PDF with a title and one page for each content stream (ISO 32000-1, 7.8.2). Pages
// measure 600 by 800 points, and Helvetica is available as F1. The file has no cross-reference
// table, so readers have to search for its objects.
func PDF(title string, contents ...string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "%%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n3 0 obj\n<</Title(%s)>>\nendobj\n"+
		"4 0 obj\n<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>\nendobj\n", title)
	kids := ""
	for i, content := range contents {
		n := 10 + 2*i
		kids += fmt.Sprintf("%d 0 R ", n)
		fmt.Fprintf(&b, "%d 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents %d 0 R/Resources<</Font<</F1 4 0 R>>>>>>\nendobj\n"+
			"%d 0 obj\n<</Length %d>>stream\n%s\nendstream\nendobj\n", n, n+1, n+1, len(content), content)
	}
	fmt.Fprintf(&b, "2 0 obj\n<</Type/Pages/Kids[%s]/Count %d>>\nendobj\ntrailer<</Root 1 0 R/Info 3 0 R>>\n%%%%EOF", kids, len(contents))
	return []byte(b.String())
}

// PDFLines returns the content stream of a page with lines of text, from the top; "" leaves a blank
// line.
func PDFLines(lines ...string) string {
	var b strings.Builder
	escape := strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`)
	for i, line := range lines {
		fmt.Fprintf(&b, "BT /F1 11 Tf 60 %d Td (%s) Tj ET\n", 740-16*i, escape.Replace(line))
	}
	return b.String()
}

// PDFScan returns the content stream of a page that is a single picture of one shade of grey, 0 to
// 255.
func PDFScan(grey int) string {
	return fmt.Sprintf("q 600 0 0 800 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 /F /AHx ID %02x> EI Q", grey)
}
