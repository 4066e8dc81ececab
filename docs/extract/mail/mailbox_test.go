package mail

import (
	"fmt"
	"strings"
	"testing"

	"vademecum/docs/extract"
)

const fromLine = "From ann@example.org Wed Jul 20 17:35:09 2016\n"

var mailboxTests = []mailTest{
	{
		name: "mailbox",
		mail: fromLine + "Subject: one\n\nFirst.\n\nFrom b@example.org Thu Jul 21 17:35:09 2016\nSubject: =?utf-8?B?5aSN5p+l?=\nFrom: Bob\nDate: Thu, 21 Jul 2016 17:35:09 +0200\n\nSecond.\nFrom here on.\n\nFrom Wed Jul 20 on.\n",
		text: "## one\n\nFirst.\n\n## 复查\n\nFrom: Bob\nDate: Thu, 21 Jul 2016 17:35:09 +0200\n\nSecond.\nFrom here on.\n\nFrom Wed Jul 20 on.\n",
	},
	{
		name:  "mailbox with one message",
		mail:  "\xEF\xBB\xBF" + fromLine + "Subject: one\n\nFirst.\n>From then on.\n",
		title: "one",
		text:  "# one\n\nFirst.\nFrom then on.\n",
	},
	{
		name: "separators of other programs, CRLF, no blank line, quoted lines",
		mail: "From - Mon Jan 01 00:00:00 2024\r\nSubject: one\r\n\r\n>From me.\r\n>>From you.\r\n> From a reply.\r\n\r\n" +
			"From ann at example.org  Mon Jan  1 10:00:00 2024\r\nSubject: two\r\n\r\n2.\r\n" +
			"From 1790000000000000000@xxx Tue Nov 05 09:30:00 +0000 2024\r\nX-GM-THRID: 1\r\nSubject: three\r\n\r\n3.\r\n" +
			"From MAILER-DAEMON Tue Nov  5 09:30:00 2024\r\nis a line of text.\r\n",
		text: "## one\n\nFrom me.\n>From you.\n> From a reply.\n\n## two\n\n2.\n\n## three\n\n3.\nFrom MAILER-DAEMON Tue Nov  5 09:30:00 2024\nis a line of text.\n",
	},
	{
		name: "messages that are gone",
		mail: fromLine + "From: Mail System Internal Data <MAILER-DAEMON@x>\nSubject: DON'T DELETE THIS MESSAGE -- FOLDER INTERNAL DATA\nX-IMAP: 1\n\nDo not.\n\n" +
			fromLine + "X-Mozilla-Status: 0009\nSubject: deleted\n\nGone.\n\n" + fromLine + "X-Mozilla-Status: 0001\nSubject: kept\n\nHere.\n",
		text: "## kept\n\nHere.\n",
	},
	{
		name: "a damaged message takes no other",
		mail: fromLine + "Subject: one\n\nFirst.\n\n" + fromLine + deepParts(60) + "\n" + fromLine + "Subject: three\n\nThird.\n",
		note: "message 2 could not be read completely",
		text: "## one\n\nFirst.\n\n## three\n\nThird.\n",
	},
	{
		name: "headings of a page stand below the subject",
		mail: fromLine + "Subject: one\nContent-Type: text/html\n\n<h1>News</h1><p>Text.</p><h2>More</h2><p>Text.</p>\n\n" + fromLine + multipart("mixed", "\nSee.\n", "Content-Type: application/pdf; name=a.pdf\n\n%PDF"),
		note: "a.pdf",
		text: "## one\n\n### News\n\nText.\n\n#### More\n\nText.\n\n## m\n\nSee.\n\nAttachments: a.pdf\n",
	},
}

// deepParts returns a message with parts nested to the given depth.
func deepParts(depth int) string {
	var b strings.Builder
	for i := range depth {
		fmt.Fprintf(&b, "Content-Type: multipart/mixed; boundary=\"b%d\"\n\n--b%[1]d\n", i)
	}
	return b.String()
}

func TestIsMailbox(t *testing.T) {
	for text, want := range map[string]bool{
		fromLine + "Subject: x":                        true,
		fromLine + "X-Mozilla-Status: 0001\r\n":        true,
		fromLine:                                       false,
		fromLine + "we went home.\n":                   false,
		"From Wed Jul 20 on\nNote: we stay\n":          false,
		"From Wednesday on\nNote: we stay\n":           false,
		"From: ann@example.org\nSubject: x\n":          false,
		"From ann Wed Jul 20 17:35:09 2016 Subject: x": false,
	} {
		if got := IsMailbox([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestLargeMailbox checks that the time to read many short messages is proportional to their
// number.
func TestLargeMailbox(t *testing.T) {
	const messages = 40_000
	message := fromLine + "Subject: s\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: application/pdf; name=a.pdf\n\n%PDF\n--b--\n\n"
	c, err := Read([]byte(strings.Repeat(message, messages)), extract.NoProgress)
	if err != nil || strings.Count(c.Text, "## s\n") != messages {
		t.Errorf("%d messages, %v", strings.Count(c.Text, "## s\n"), err)
	}
	if len(c.UnreadAttachments) != messages {
		t.Errorf("%d files are attached", len(c.UnreadAttachments))
	}
}
