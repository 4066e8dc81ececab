package dicom

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
)

var (
	newElement  = extracttest.DICOMElement
	newSequence = extracttest.DICOMSequence
	newConcept  = extracttest.DICOMConcept
	newItem     = extracttest.DICOMItem
)

func unit(scheme, code, meaning string) string {
	return newSequence(units, newElement(codeValue, "SH", code)+newElement(codingScheme, "SH", scheme)+newElement(codeMeaning, "LO", meaning))
}

func number(relation, name, value, unit, below string) string {
	return newItem(relation, "NUM", name, newSequence(measuredValue, unit+newElement(numericValue, "DS", value)), below)
}

func text(name, value string) string {
	return newItem("CONTAINS", "TEXT", name, newElement(textValue, "UT", value))
}

func below(items ...string) string { return newSequence(contentSequence, items...) }

// echo is the elements of a report with an item of each kind.
var echo = newElement(characterSetTag, "CS", "ISO_IR 100") +
	newElement(contentDate, "DA", "20240305") +
	newElement(0x00081140, "UN", "\x00\x01") +
	newElement(patientName, "PN", "Wei\xDF^Ann^^Dr.") +
	newElement(0x00100020, "LO", "id-4711") +
	newConcept(conceptName, "Echo report") +
	newSequence(verifiers, newElement(verifyingCompany, "LO", "Harbour Clinic")+newElement(verificationTime, "DT", "20240306101507.5+0100")+newElement(verifierName, "PN", "Bo^Li")) +
	newElement(completion, "CS", "COMPLETE") +
	below(
		newItem("HAS OBS CONTEXT", "UIDREF", "Observer UID", newElement(0x0040A124, "UI", "1.2.3.4.5")),
		newItem("HAS CONCEPT MOD", "CODE", "Language", newConcept(conceptCode, "English")),
		newItem("CONTAINS", "CONTAINER", "Findings", below(
			number("CONTAINS", "Diameter", "4.5", unit("UCUM", "cm", "centimeter"), below(
				newItem("HAS CONCEPT MOD", "CODE", "Method", newConcept(conceptCode, "Biplane")),
				newItem("INFERRED FROM", "IMAGE", "Source", newSequence(0x00081199, newElement(0x00081155, "UI", "1.2.3"))),
				newItem("INFERRED FROM", "TEXT", "Why", newElement(textValue, "UT", "seen twice")),
			)),
			number("CONTAINS", "Rate", "60", unit("UCUM", "{H.B.}/min", "beats per minute"), ""),
			number("CONTAINS", "Ratio", "0.5", unit("UCUM", "1", "no units"), ""),
			newItem("CONTAINS", "NUM", "Gradient", newSequence(valueQualifier, newElement(codeMeaning, "LO", "Not measured"))),
			newItem("CONTAINS", "DATE", "Seen on", newElement(dateValue, "DA", "20240304")),
			newItem("CONTAINS", "TIME", "at", newElement(timeValue, "TM", "0915")),
			newItem("CONTAINS", "DATETIME", "Filed", newElement(dateTimeValue, "DT", "202403")),
			newItem("CONTAINS", "PNAME", "Asked by", newElement(personValue, "PN", "Qu^Bo")),
			text("Report", "No clot.\r\n\r\nValves close."),
			newItem("CONTAINS", "CONTAINER", "Right side", below(text("Tricuspid", "Normal"))),
		)))

const echoText = `# Echo report

Patient: Dr. Ann Weiß
Status: COMPLETE
Verified by: Li Bo, Harbour Clinic, 2024-03-06 10:15
Language: English

## Findings

Diameter: 4.5 cm (Method: Biplane)
Why: seen twice
Rate: 60 beats per minute
Ratio: 0.5
Gradient: Not measured
Seen on: 2024-03-04
at: 09:15
Filed: 202403
Asked by: Bo Qu

Report: No clot.

Valves close.

### Right side

Tricuspid: Normal
`

func TestRead(t *testing.T) {
	raw := extracttest.DICOMReport(echo)
	if !IsReport(raw) || IsReport(extracttest.DICOM("1.2.840.10008.5.1.4.1.1.2", "1.2.840.10008.1.2.1", echo)) || IsReport(raw[:140]) {
		t.Error("a report is not told from a picture")
	}
	c, err := Read(raw, extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if err != nil || c.Text != echoText || c.Title != "Echo report" || c.Date != "2024-03-05" || c.ExtractionNote != "" {
		t.Errorf("title %q, date %q, note %q, %v, text\n%s", c.Title, c.Date, c.ExtractionNote, err, c.Text)
	}
}

// TestTransferSyntaxes checks that the same report is read without value types, in big endian and
// compressed.
func TestTransferSyntaxes(t *testing.T) {
	var packed bytes.Buffer
	w, _ := flate.NewWriter(&packed, flate.BestSpeed)
	_, _ = w.Write([]byte(echo))
	_ = w.Close()
	for syntax, elements := range map[string]string{
		"1.2.840.10008.1.2":      rewrite(echo, binary.LittleEndian, false),
		"1.2.840.10008.1.2.2":    rewrite(echo, binary.BigEndian, true),
		"1.2.840.10008.1.2.1.99": packed.String(),
	} {
		c, err := Read(extracttest.DICOM("1.2.840.10008.5.1.4.1.1.88.33", syntax, elements), extract.NoProgress)
		if err != nil || c.Text != echoText || c.ExtractionNote != "" {
			t.Errorf("%s: note %q, %v, text\n%s", syntax, c.ExtractionNote, err, c.Text)
		}
	}
}

// rewrite returns elements in another byte order, with value types or without, and with sequences
// and items of undefined length.
func rewrite(elements string, order binary.AppendByteOrder, hasTypes bool) string {
	d := decoder{raw: []byte(elements), order: binary.LittleEndian}
	var b []byte
	head := func(t tag, kind string, length uint32) {
		b = order.AppendUint16(order.AppendUint16(b, uint16(t>>16)), uint16(t))
		switch isLong := strings.Contains("UT SQ UN OB", kind); {
		case !hasTypes || kind == "":
			b = order.AppendUint32(b, length)
		case isLong:
			b = order.AppendUint32(append(append(b, kind...), 0, 0), length)
		default:
			b = order.AppendUint16(append(b, kind...), uint16(length))
		}
	}
	for {
		t, kind, length, ok := d.next(len(d.raw))
		if !ok {
			return string(b)
		}
		value := string(d.take(len(d.raw), length))
		switch {
		case t == itemStart:
			head(t, "", undefinedLength)
			b = append(b, rewrite(value, order, hasTypes)...)
			head(itemEnd, "", 0)
		case kind == "SQ":
			head(t, kind, undefinedLength)
			b = append(b, rewrite(value, order, hasTypes)...)
			head(sequenceEnd, "", 0)
		default:
			head(t, kind, length)
			b = append(b, value...)
		}
	}
}

// TestCharacterSets checks the names of persons that PS3.5, H to K give as examples.
func TestCharacterSets(t *testing.T) {
	for _, test := range [][3]string{
		{"ISO_IR 192", "Wang^XiaoDong=王^小東", "XiaoDong Wang 王小東"},
		{"GB18030", "Wang^XiaoDong=\xCD\xF5^\xD0\xA1\xB6\xAB", "XiaoDong Wang 王小东"},
		{"GBK", "\xCD\xF5^\xD0\xA1\xB6\xAB", "王小东"},
		{`\ISO 2022 IR 87`, "Yamada^Tarou=\x1B$B;3ED\x1B(B^\x1B$BB@O:\x1B(B=\x1B$B$d$^$@\x1B(B^\x1B$B$?$m$&\x1B(B", "Tarou Yamada 山田太郎 やまだたろう"},
		{`ISO 2022 IR 13\ISO 2022 IR 87`, "\xD4\xCF\xC0\xDE^\xC0\xDB\xB3=\x1B$B;3ED\x1B(J^\x1B$BB@O:\x1B(J", "ﾔﾏﾀﾞﾀﾛｳ 山田太郎"},
		{`\ISO 2022 IR 149`, "Hong^Gildong=\x1B$)C\xFB\xF3^\x1B$)C\xD1\xCE\xD4\xD7", "Gildong Hong 洪吉洞"},
		{`\ISO 2022 IR 58`, "Zhang^XiaoDong=\x1B$)A\xD5\xC5^\x1B$)A\xD0\xA1\xB6\xAB", "XiaoDong Zhang 张小东"},
		{`ISO 2022 IR 100\ISO 2022 IR 144`, "B\xE4r^\x1B-L\xBB\xEE\xDA=\xE4", "Люк Bär ä"},
		{"ISO_IR 126", "\xC4\xE9\xEF\xED", "Διον"},
		{"", "Ann\x00", "Ann"},
	} {
		set := newCharacterSet(test[0])
		if got := personName(set.decode([]byte(test[1]))); got != test[2] {
			t.Errorf("%s: %q, want %q", test[0], got, test[2])
		}
	}
}

// TestDamage checks that the part of a report before the damage is read.
func TestDamage(t *testing.T) {
	raw := extracttest.DICOMReport(echo)
	c, err := Read(raw[:bytes.Index(raw, []byte("Valves"))], extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if before, _, _ := strings.Cut(echoText, "\nReport"); err != nil || c.Text != before+"Report: No clot.\n" || c.ExtractionNote != extract.UnfinishedNote(errDamaged) {
		t.Errorf("note %q, %v, text\n%s", c.ExtractionNote, err, c.Text)
	}
	_, err = Read(raw[:200], extract.NoProgress)
	extracttest.WantSkip(t, err, extract.ErrNoText.Error())
	_, err = Read([]byte("DICM"), extract.NoProgress)
	extracttest.WantSkip(t, err, errDamaged.Error())
}

// TestHostile checks that files which would take much more memory than their size are skipped with
// a reason.
func TestHostile(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("\x40\x00\x30\xA7\xFF\xFF\xFF\xFF\xFE\xFF\x00\xE0\xFF\xFF\xFF\xFF", 10_000)
	_, err := Read(extracttest.DICOM("", "1.2.840.10008.1.2", deep), extract.NoProgress)
	extracttest.WantSkip(t, err, extract.ErrNestedTooDeeply.Error())

	many := below(strings.Repeat(newElement(valueType, "CS", ""), extract.MaxTextBytes/64))
	_, err = Read(extracttest.DICOMReport(many), extract.NoProgress)
	extracttest.WantSkip(t, err, extract.ErrTooMuchText.Error())

	var packed bytes.Buffer
	w, _ := flate.NewWriter(&packed, flate.BestSpeed)
	for range extract.MaxFileBytes>>20 + 1 {
		_, _ = w.Write(make([]byte, 1<<20))
	}
	_ = w.Close()
	_, err = Read(extracttest.DICOM("", "1.2.840.10008.1.2.1.99", packed.String()), extract.NoProgress)
	extracttest.WantSkip(t, err, extract.ErrTooLarge.Error())
}

func FuzzRead(f *testing.F) {
	f.Add(extracttest.DICOMReport(echo))
	f.Add(extracttest.DICOM("1.2.840.10008.5.1.4.1.1.88.33", "1.2.840.10008.1.2.2", rewrite(echo, binary.BigEndian, true)))
	f.Add(extracttest.DICOM("1.2.840.10008.5.1.4.1.1.88.33", "1.2.840.10008.1.2", rewrite(echo, binary.LittleEndian, false)))
	f.Fuzz(func(t *testing.T, raw []byte) {
		IsReport(raw)
		c, err := Read(raw, extract.NoProgress)
		extracttest.CheckContent(t, c, err)
	})
}
