package office

import (
	"testing"

	"vademecum/docs/extract/extracttest"
	"vademecum/docs/extract/markdown"
)

func TestChart2016(t *testing.T) {
	a, err := Open(extracttest.Zip(t, "c.xml", `<cx:chartSpace><cx:chartData>`+
		`<cx:data id="0"><cx:strDim type="cat"><cx:f>Sheet1!A1</cx:f><cx:lvl><cx:pt idx="0">north</cx:pt><cx:pt idx="1">south</cx:pt></cx:lvl></cx:strDim>`+
		`<cx:numDim type="val"><cx:lvl><cx:pt idx="0">4.4000000000000004</cx:pt><cx:pt idx="1">2</cx:pt></cx:lvl></cx:numDim></cx:data></cx:chartData>`+
		`<cx:chart><cx:title><cx:txPr><a:p><a:r><a:t>Rain</a:t></a:r></a:p></cx:txPr></cx:title><cx:plotArea><cx:series><cx:tx><cx:txData><cx:f>B1</cx:f><cx:v>2026</cx:v></cx:txData></cx:tx><cx:dataId val="0"/></cx:series>`+
		`<cx:series><cx:tx><cx:txData><cx:v>of no data</cx:v></cx:txData></cx:tx></cx:series></cx:plotArea></cx:chart></cx:chartSpace>`))
	if err != nil {
		t.Fatal(err)
	}
	var w markdown.Writer
	for _, b := range a.ReadChart("c.xml") {
		b.Write(&w)
	}
	if got, want := w.Text.String(), "Rain\n\n|  | 2026 |\n| --- | --- |\n| north | 4.4 |\n| south | 2 |\n"; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestShortNumber(t *testing.T) {
	for in, want := range map[string]string{
		"4.4000000000000004": "4.4", "4.2999999999999997E-2": "0.043", "0.5": "0.5", "12345678901234567": "12345678901234567", "version 1.2 of the text": "version 1.2 of the text",
	} {
		if got := roundTo15Digits(in); got != want {
			t.Errorf("roundTo15Digits(%q) = %q, want %q", in, got, want)
		}
	}
}
