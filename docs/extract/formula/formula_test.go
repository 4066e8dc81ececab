package formula

import (
	"encoding/xml"
	"strings"
	"testing"
	"unicode/utf8"
)

// parse returns the tree of a formula in MathML.
func parse(source string) *Element {
	root := &Element{Name: "math"}
	open := []*Element{root}
	for d := xml.NewDecoder(strings.NewReader(source)); ; {
		token, err := d.RawToken()
		if err != nil {
			return root
		}
		last := open[len(open)-1]
		switch t := token.(type) {
		case xml.StartElement:
			e := &Element{Name: t.Name.Local, Attributes: make(map[string]string)}
			for _, a := range t.Attr {
				e.Attributes[a.Name.Local] = a.Value
			}
			last.Children = append(last.Children, e)
			open = append(open, e)
		case xml.EndElement:
			open = open[:max(len(open)-1, 1)]
		case xml.CharData:
			last.Text += string(t)
		}
	}
}

func TestMathML(t *testing.T) {
	for source, want := range map[string]string{
		"<mn>4.5</mn><mo>×</mo><msup><mn>10</mn><mn>9</mn></msup><mo>/</mo><mi>L</mi>":                                                "4.5×10⁹/L",
		"<msup><mn>10</mn><mrow><mo>−</mo><mn>3</mn></mrow></msup>":                                                                   "10⁻³",
		"<msqrt><mi>a</mi><mo>+</mo><mi>b</mi></msqrt>":                                                                               "√(a+b)",
		"<mroot><mi>x</mi><mn>3</mn></mroot>":                                                                                         "^3√x",
		"<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mi>c</mi></mfrac>":                                                        "(a+b)/c",
		"<mfrac><mrow><mo>(</mo><mi>a</mi><mo>+</mo><mi>b</mi><mo>)</mo></mrow><mi>c</mi></mfrac>":                                    "(a+b)/c",
		`<mfrac linethickness="0pt"><mi>n</mi><mi>k</mi></mfrac>`:                                                                     "n; k",
		"<msup><mi>x</mi><mn>2</mn></msup><mo>+</mo><msub><mi>y</mi><mrow><mi>i</mi><mo>+</mo><mn>1</mn></mrow></msub>":               "x^2+y_(i+1)",
		"<munderover><mo>∑</mo><mrow><mi>k</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><mi>k</mi>":                          "∑_(k=1)^n k",
		"<mover accent='true'><mi>x</mi><mo>¯</mo></mover><mo>,</mo><mover><mrow><mi>A</mi><mi>B</mi></mrow><mo>‾</mo></mover>":       "x\u0304,(AB)\u0304",
		"<mi>sin</mi><mo>\u2061</mo><mi>x</mi><mo>=</mo><mn>5</mn><mtext>mg</mtext>":                                                  "sin x=5 mg",
		"<semantics><mrow> <mi> a </mi><mo>\u2062</mo><mi>b</mi></mrow><annotation-xml><ci>c</ci></annotation-xml></semantics>":       "ab",
		`<mfenced open="[" separators=";"><mi>a</mi><mi>b</mi></mfenced><mfenced><mi>c</mi></mfenced>`:                                "[a;b)(c)",
		"<mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr><mtr><mtd><mi>c</mi></mtd><mtd><mi>d</mi></mtd></mtr></mtable>": "a, b; c, d",
		"<mmultiscripts><mi>C</mi><mprescripts/><mn>6</mn><mn>14</mn></mmultiscripts>":                                                "_6¹⁴C",
		"<msup><mi>f</mi><mo>′</mo></msup><mn>25</mn><msup><mi></mi><mo>∘</mo></msup><mi>C</mi>":                                      "f′25°C",
		"<mfrac/><msup><mi>x</mi></msup><msqrt/>":                                                                                     "/x√",
	} {
		if got := MathMLText(parse(source)); got != want {
			t.Errorf("%s: %q, want %q", source, got, want)
		}
	}
}

// FuzzMathML checks that the text of any formula is one line, and not longer than its depth allows.
func FuzzMathML(f *testing.F) {
	f.Add("<mfrac><msup><mi>x</mi><mn>2</mn></msup><msqrt><mfenced><mi>a</mi></mfenced></msqrt></mfrac><mmultiscripts><mi>C</mi><mprescripts/></mmultiscripts>")
	f.Add(strings.Repeat("<msqrt>", 10_000) + "x")
	f.Fuzz(func(t *testing.T, source string) {
		text := MathMLText(parse(source))
		if strings.Contains(text, "\n") || utf8.ValidString(source) && !utf8.ValidString(text) || len(text) > 10*(1+len(source)) {
			t.Errorf("%q", text)
		}
	})
}
