package extracttest

import (
	"testing"

	"vademecum/docs/extract"
)

// CheckHiddenSheets checks what is read of testdata/hidden of a spreadsheet format, in which rows and
// columns are hidden by hand, by the outline and by a filter, and sheets are hidden.
func CheckHiddenSheets(t *testing.T, c extract.Content) {
	t.Helper()
	const want = `## Doses

| Drug | Dose |
| --- | --- |
| Ramipril | 2.5 mg |
| Atenolol | 50 mg |
| Bisoprolol | 5 mg |
| of Bisoprolol: morning | 2.5 mg |
| Verapamil | 80 mg |

C2: with food

## Patients

| Ward | Patient | Note |
| --- | --- | --- |
| A | Weber | a |
| B | Roth | b |
| A | Lang | c |
| B | Vogt | d |
`
	const note = "hidden sheets are not read: Old, Lists; hidden rows or columns are not read, in: Doses"
	if c.Text != want || c.ExtractionNote.String() != note {
		t.Errorf("note %q, want %q\n%s", c.ExtractionNote, note, c.Text)
	}
}
