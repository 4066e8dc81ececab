package chat

import (
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
)

const (
	iOS = "\u200E[05.03.24, 10:15:07] Crew: \u200EMessages and calls are end-to-end encrypted.\r\n[05.03.24, 10:16:07] ~ Ann: Tie bowlines:\r\n- hemp\r\n\r\n- nylon\r\n" +
		"\u200E[05.03.24, 10:17:07] Bo: \u200Eimage omitted\r\n[06.03.24, 08:00:00] Bo: Aye: now\r\n"
	android = "3/5/24, 10:15\u202FAM - Messages and calls are end-to-end encrypted. No one outside of this chat, not even WhatsApp, can read them.\n3/5/24, 10:16\u202FAM - Ann: Hello\n3/5/24, 10:17\u202FAM - Bo: <Media omitted>\n"
	chinese = "[2024/3/5 上午10:15:07] 安: 你好\n[2024/3/5 下午1:16:07] 波: 再见\n"
)

func TestReadWhatsApp(t *testing.T) {
	for name, test := range map[string][2]string{
		"iOS":     {iOS, "## 05.03.24\n\nCrew (10:15:07): Messages and calls are end-to-end encrypted.\n\nAnn (10:16:07): Tie bowlines:\n- hemp\n- nylon\n\n## 06.03.24\n\nBo (08:00:00): Aye: now\n"},
		"Android": {android, "## 3/5/24\n\n(10:15 AM): Messages and calls are end-to-end encrypted. No one outside of this chat, not even WhatsApp, can read them.\n\nAnn (10:16 AM): Hello\n"},
		"Chinese": {chinese, "## 2024/3/5\n\n安 (上午10:15:07): 你好\n\n波 (下午1:16:07): 再见\n"},
	} {
		if !IsWhatsApp([]byte(test[0])) {
			t.Errorf("%s is not recognised", name)
		}
		c, err := ReadWhatsApp([]byte(test[0]), extract.NoProgress)
		extracttest.CheckContent(t, c, err)
		if err != nil || c.Text != test[1] {
			t.Errorf("%s: %v\ngot  %q\nwant %q", name, err, c.Text, test[1])
		}
	}
}

// TestOtherText checks that logs and diaries are not taken for chats.
func TestOtherText(t *testing.T) {
	for _, text := range []string{
		"", "words", "[2024-03-05 10:15:07] main: started\n[2024-03-05 10:15:08] main: stopped\n", "2024-03-05 10:15 - main: started\n2024-03-05 10:16 - main: stopped\n",
		"[05.03.24, 10:15:07] INFO: started\n[05.03.24, 10:15:08] INFO: stopped\n", "05.03.24, 10:15 - Up early\n\nWalked.\n", "A day\n" + chinese,
	} {
		if IsWhatsApp([]byte(text)) {
			t.Errorf("%q is recognised", text)
		}
	}
}

func FuzzReadWhatsApp(f *testing.F) {
	for _, text := range []string{iOS, android, chinese} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		IsWhatsApp(raw)
		c, err := ReadWhatsApp(raw, extract.NoProgress)
		extracttest.CheckContent(t, c, err)
	})
}
