package textile

import "testing"

func TestMarkStruck(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"h2. Dose -60 mg- 30 mg\n* -42 mg-\n|Zolfane|-45 mg- 25 mg|\n", "h2. Dose ~~60 mg~~ 30 mg\n* ~~42 mg~~\n|Zolfane|~~45 mg~~ 25 mg|\n"},
		{"<del>40 mg</del> 20 mg", "~~40 mg~~ 20 mg"},
		{"well-known, 5-10 mg, -5 to 3, a - b - c, --x--, -a\nb-", "well-known, 5-10 mg, -5 to 3, a - b - c, --x--, -a\nb-"},
		{"<pre>\nrm -r- x\n\n -a- \n</pre>\n-b-", "<pre>\nrm -r- x\n\n -a- \n</pre>\n~~b~~"},
		{"bc. ls -a-\n\n-b-", "bc. ls -a-\n\n~~b~~"},
	} {
		if got := MarkStruck(c.text); got != c.want {
			t.Errorf("%q:\ngot  %q\nwant %q", c.text, got, c.want)
		}
	}
}
