package index

import "testing"

func TestRuns(t *testing.T) {
	got := ""
	for _, r := range WordsOf("spacer", "哮喘").Runs("A spacer helps; 哮喘儿童") {
		if r.Hit {
			r.Text = "[" + r.Text + "]"
		}
		got += r.Text
	}
	if want := "A [spacer] helps; [哮喘]儿童"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
