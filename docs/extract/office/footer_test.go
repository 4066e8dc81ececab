package office

import "testing"

func TestIsPageLabel(t *testing.T) {
	for text, want := range map[string]bool{
		"Page": true, "- Page 3 -": true, "page of": true, "SEITE  von": true, "Página 2 de 5": true, "第 页": true, "第 页，共 页": true, "第1页/共3页": true, "Стр. 4": true,
		"": false, "3": false, "Page setup": false, "Report Page": false, "Pages of history": false, "Title page": false, "第一章": false, "Von Seite": false, "2024 total": false, "Side 030 12 345": false, "Page 12345": false,
	} {
		if got := IsPageLabel(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
