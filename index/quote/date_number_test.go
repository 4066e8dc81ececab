package quote

import "testing"

// TestDateNumbers: the years, months and days of dates are the same in digits and in Chinese characters.
func TestDateNumbers(t *testing.T) {
	const text = "本公司将于二〇二六年三月五日开业，甲方应于2025年12月21日前付款，三十日内结清，共二十三人。"
	for quotation, isExact := range map[string]bool{
		"将于2026年3月5日开业": true, "将于二零二六年三月5日开业": true, "应于二〇二五年十二月二十一日前付款": true, "30日内结清": true, "三十日内结清": true,
		"将于2027年3月5日开业": false, "应于二〇二五年十二月二十二日前付款": false, "十日内结清，共23人": false,
	} {
		q, err := New(quotation)
		if err != nil {
			t.Fatal(err)
		}
		if found := scan(t, text, q); (len(found) == 1 && len(found[0].Exact) > 0) != isExact {
			t.Errorf("%s: %+v", quotation, found)
		}
	}
}
