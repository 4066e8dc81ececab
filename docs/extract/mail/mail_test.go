package mail

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
	"vademecum/internal/base/message"
)

func encoded(e encoding.Encoding, text string) string {
	s, err := e.NewEncoder().String(text)
	if err != nil {
		panic(err)
	}
	return s
}

// TestDay checks that a message is dated by the day on which it was sent, in the sender's time
// zone.
func TestDay(t *testing.T) {
	for date, want := range map[string]string{
		"Mon, 16 Nov 2026 23:30:00 -0800": "2026-11-16", "16 Nov 26 00:30 +0800 (CST)": "2026-11-16", "Mon, 16 Nov 2026 09:30:00 GMT": "2026-11-16",
		"yesterday": "", "": "", "Mon, 31 Feb 2026 09:30:00 +0000": "",
	} {
		c, err := Read([]byte("From: a\nDate: "+date+"\n\nHello\n"), nil)
		if err != nil || c.Date != want {
			t.Errorf("%q is %q, %v; want %q", date, c.Date, err, want)
		}
	}
	if c, err := Read([]byte(fromLine+"From: a\nDate: Mon, 16 Nov 2026 09:30:00 GMT\n\nOne\n\nFrom b@example.org Thu Jul 21 17:35:09 2016\nFrom: b\n\nTwo\n"), nil); err != nil || c.Date != "" {
		t.Errorf("a mailbox is of %q, %v", c.Date, err)
	}
}

func base64Of(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

type mailTest struct{ name, mail, title, note, text string }

var mailTests = []mailTest{
	{
		name:  "plain",
		mail:  "From: Ann <ann@example.org>\r\nTo: Bob <bob@example.org>\r\nTo: Cy\r\nSubject: Dose\r\nDate: Mon, 16 Nov 2026 09:30:00 +0800\r\nX-Other: no\r\n\r\nTake one\r\na day.\r\n\r\nAnn\r\n-- \r\nWard 3\r\n",
		title: "Dose",
		text:  "# Dose\n\nFrom: Ann <ann@example.org>\nTo: Bob <bob@example.org>, Cy\nDate: Mon, 16 Nov 2026 09:30:00 +0800\n\nTake one\na day.\n\nAnn\n\n--\nWard 3\n",
	},
	{
		name: "no subject, no type, space before a colon, folded field",
		mail: "From : a\nTo: b,\n c\n\nHello\n",
		text: "# (no subject)\n\nFrom: a\nTo: b, c\n\nHello\n",
	},
	{
		name:  "encoded words, a character split between two",
		mail:  "From: =?gb2312?B?" + base64Of(encoded(simplifiedchinese.GBK, "王医生")) + "?= <w@example.org>\nSubject: =?GBK?B?" + base64Of(encoded(simplifiedchinese.GBK, "复查通知")[:5]) + "?=\n =?GBK?B?" + base64Of(encoded(simplifiedchinese.GBK, "复查通知")[5:]) + "?= and =?utf-8?Q?caf=C3=A9_noir?=\n\nx\n",
		title: "复查通知 and café noir",
		text:  "# 复查通知 and café noir\n\nFrom: 王医生 <w@example.org>\n\nx\n",
	},
	{
		name:  "raw header and body in GBK under the label of ASCII",
		mail:  encoded(simplifiedchinese.GBK, "From: 李护士\nSubject: 明天上午的门诊时间有变化请注意\nContent-Type: text/plain; charset=us-ascii\n\n请您于星期四上午九点到三楼门诊复查血压和心电图。\n"),
		title: "明天上午的门诊时间有变化请注意",
		text:  "# 明天上午的门诊时间有变化请注意\n\nFrom: 李护士\n\n请您于星期四上午九点到三楼门诊复查血压和心电图。\n",
	},
	{
		name:  "ISO-2022-JP",
		mail:  "Subject: =?ISO-2022-JP?B?" + base64Of(encoded(japanese.ISO2022JP, "予約の変更")) + "?=\nContent-Type: text/plain; charset=ISO-2022-JP\n\n" + encoded(japanese.ISO2022JP, "木曜日に変更します。") + "\n",
		title: "予約の変更",
		text:  "# 予約の変更\n\n木曜日に変更します。\n",
	},
	{
		name:  "ISO-2022-KR, whose header is in UTF-7",
		mail:  "Subject: =?UTF-7?Q?f+APw-r_dich?=\nContent-Type: text/plain; charset=ISO-2022-KR\n\n\x1b$)C\x0e>H3g\x0f!\n",
		title: "für dich",
		text:  "# für dich\n\n안녕!\n",
	},
	{
		name:  "a code page of DOS",
		mail:  "Subject: d\nContent-Type: text/plain; charset=cp850\nContent-Transfer-Encoding: 8bit\n\nZwei Caf\x82s in K\x94ln\n",
		title: "d",
		text:  "# d\n\nZwei Cafés in Köln\n",
	},
	{
		name:  "Big5 in quoted-printable",
		mail:  "Subject: b\nContent-Type: text/plain; charset=\"big5\"\nContent-Transfer-Encoding: Quoted-Printable\n\n" + quoted(encoded(traditionalchinese.Big5, "請於星期四回診")) + "=\n.\n",
		title: "b",
		text:  "# b\n\n請於星期四回診.\n",
	},
	{
		name:  "base64 with text of a mailing list behind it",
		mail:  "Subject: b\nContent-Transfer-Encoding: BASE64\n\n" + base64Of("Dose: 5 mg") + "\n-- \nlist footer\n",
		title: "b",
		text:  "# b\n\nDose: 5 mg\n",
	},
	{
		name:  "base64 that is none",
		mail:  "Subject: b\nContent-Transfer-Encoding: base64\n\nTake one a day, not two.\n",
		title: "b",
		text:  "# b\n\nTake one a day, not two.\n",
	},
	{
		name:  "format=flowed",
		mail:  "Subject: f\nContent-Type: text/plain; format=flowed\n\nOne \ntwo \nthree.\nFour.\n> quoted \n> on\nafter\n-- \nname\n",
		title: "f",
		text:  "# f\n\nOne two three.\nFour.\n> quoted on\nafter\n\n--\nname\n",
	},
	{
		name:  "alternatives that say the same",
		mail:  multipart("alternative", "Content-Type: text/plain\n\nThe result is normal.\n", "Content-Type: text/html\n\n<p>The <b>result</b> is normal.</p>\n"),
		title: "m",
		text:  "# m\n\nThe result is normal.\n",
	},
	{
		name:  "a plain text that says nothing",
		mail:  multipart("alternative", "Content-Type: text/plain\n\nNo HTML?\n", "Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: base64\n\n"+base64Of("<h2>Result</h2><p>血压正常</p>")+"\n"),
		title: "m",
		text:  "# m\n\nNo HTML?\n\n## Result\n\n血压正常\n",
	},
	{
		name: "attachments",
		mail: multipart("mixed", "\nSee the files.\n",
			"Content-Type: text/plain; name=\"notes.txt\"\nContent-Disposition: attachment; filename=\"notes.txt\"\n\nAllergic to nuts.\n",
			"Content-Type: application/octet-stream\nContent-Disposition: attachment; filename*=gb18030''%B1%EDa.csv\nContent-Transfer-Encoding: base64\n\n"+base64Of("drug,dose\naspirin,100\n"),
			"Content-Type: text/calendar; name=visit.ics\n\nBEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Visit\\, ward\n  3\nDTSTART:20240305T090000\nEND:VEVENT\nEND:VCALENDAR\n",
			"Content-Type: text/x-vcard\n\nBEGIN:VCARD\nFN:Ann\nTEL:1\nEND:VCARD\n", "Content-Type: text/calendar\n\nno events\n",
			"Content-Type: image/png; name=\"=?utf-8?B?"+base64Of("扫描.png")+"?=\"\n\n\x89PNG",
			"Content-Type: application/pdf\nContent-Disposition: attachment; filename*0=\"long \"; filename*1=\"report.pdf\"\n\n%PDF",
			"Content-Type: image/gif\nContent-ID: <1>\nContent-Disposition: inline; filename=logo.gif\n\nGIF"),
		title: "m",
		note:  "扫描.png, long report.pdf, logo.gif",
		text:  "# m\n\nSee the files.\n\nAttachments: 扫描.png, long report.pdf, logo.gif\n\n## notes.txt\n\nAllergic to nuts.\n\n## 表a.csv\n\n```\ndrug,dose\naspirin,100\n```\n\n## visit.ics\n\n### Visit, ward 3\n\nWhen: Tuesday 2024-03-05 09:00\n\n### Ann\n\nPhone: 1\n\n```\nno events\n```\n",
	},
	{
		name:  "forwarded message",
		mail:  multipart("mixed", "\nSee below.\n", "Content-Type: message/rfc822\n\nFrom: Cy\nSubject: Old\n\nThe first text.\n"),
		title: "m",
		text:  "# m\n\nSee below.\n\n## Old\n\nFrom: Cy\n\nThe first text.\n",
	},
	{
		name:  "forwarded text without a header",
		mail:  multipart("digest", "\nJust a text.\n"),
		title: "m",
		text:  "# m\n\nJust a text.\n",
	},
	{
		name:  "saved page",
		mail:  "From: <Saved by Blink>\nSnapshot-Content-Location: https://example.org/\nSubject: =?utf-8?Q?Page?=\nMIME-Version: 1.0\nContent-Type: multipart/related;\n\ttype=\"text/html\";\n\tboundary=\"--b\"\n\n----b\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\nContent-Location: https://example.org/\n\n<html><head><meta charset=3D\"gbk\"><title>Doses</title><link rel=3D\"stylesheet\" href=3D\"https://example.org/a.css\"></head><body><p>" + quoted(encoded(simplifiedchinese.GBK, "每日一次")) + "</p><p class=3D\"old\">old</p></body></html>\n----b\nContent-Type: text/css\nContent-Location: https://example.org/a.css\n\n.old{display:none}\n----b--\n",
		title: "Doses",
		text:  "每日一次\n",
	},
}

// TestHiddenParts checks that the preview text of a mail, which its readers do not see, is not read.
func TestHiddenParts(t *testing.T) {
	raw := "From: a@x.org\nTo: b@x.org\nSubject: Doses\nContent-Type: text/html\n\n<html><style>.off{display:none}</style><body><div style=\"display:none;max-height:0;overflow:hidden\">View 50 mg in your browser</div>" +
		"<p>Take <s>5 mg</s> 10 mg.</p><p class=off>Take 20 mg.</p></body></html>\n"
	c, err := Read([]byte(raw), extract.NoProgress)
	if want := "Take ~~5 mg~~ 10 mg.\n"; err != nil || !strings.HasSuffix(c.Text, "\n\n"+want) || strings.Contains(c.Text, "50 mg") {
		t.Errorf("%v: %q", err, c.Text)
	}
}

func quoted(s string) string {
	var b strings.Builder
	for i := range len(s) {
		fmt.Fprintf(&b, "=%02X", s[i])
	}
	return b.String()
}

// multipart returns a message without its closing delimiter, as if it were truncated.
func multipart(kind string, parts ...string) string {
	m := "Subject: m\nContent-Type: multipart/" + kind + ";\n boundary=\"=_b\"\n\nPreamble.\n"
	for _, p := range parts {
		m += "--=_b\n" + p + "\n"
	}
	return m
}

func TestReadMail(t *testing.T) {
	for _, test := range slices.Concat(mailTests, mailboxTests) {
		t.Run(test.name, func(t *testing.T) {
			c, err := Read([]byte(test.mail), extract.NoProgress)
			if err != nil {
				t.Fatal(err)
			}
			noted := message.Join(c.ExtractionNote, message.Message(strings.Join(c.UnreadAttachments, ", "))).String()
			if c.Title != test.title || noted != test.note || c.Form != extract.Markdown {
				t.Errorf("title %q, note %q, form %d; want %q, %q, %d", c.Title, noted, c.Form, test.title, test.note, extract.Markdown)
			}
			if c.Text != test.text {
				t.Errorf("text\n%s\nwant\n%s", c.Text, test.text)
			}
		})
	}
}

func TestReadMailReasons(t *testing.T) {
	var deep, forwarded strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&deep, "Content-Type: multipart/mixed; boundary=\"b%d\"\n\n--b%[1]d\n", i)
		forwarded.WriteString("Subject: s\nContent-Type: message/rfc822\n\n")
	}
	tests := []struct{ name, mail, reason string }{
		{"no header", "Just a text.\nWith lines.\n", errDamaged.Error()},
		{"fields of something else", "a: b\nc: d\n\ntext", errDamaged.Error()},
		{"nested multiparts", deep.String(), extract.ErrNestedTooDeeply.Error()},
		{"nested messages", forwarded.String(), extract.ErrNestedTooDeeply.Error()},
		{"many parts", multipart("mixed") + strings.Repeat("--=_b\n\nx\n", extract.MaxArchiveEntries+1), extract.ErrTooManyFiles.Error()},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if _, err := Read([]byte(test.mail), extract.NoProgress); err == nil || err.Error() != test.reason {
				t.Errorf("got %v, want %q", err, test.reason)
			}
		})
	}
}

func FuzzMail(f *testing.F) {
	for _, test := range slices.Concat(mailTests, mailboxTests) {
		f.Add([]byte(test.mail))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := Read(raw, extract.NoProgress)
		extracttest.CheckContent(t, c, err)
		if err == nil && strings.TrimSpace(c.Text) == "" {
			t.Fatalf("text %q", c.Text)
		}
	})
}
