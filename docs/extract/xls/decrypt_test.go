package xls

import (
	"encoding/hex"
	"os"
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
)

// TestProtected reads workbooks that LibreOffice encrypted: with the default password of Excel for
// protected workbooks, and with one that only the user knows.
func TestProtected(t *testing.T) {
	for name, reason := range map[string]string{"locked": "", "secret": extract.ErrPasswordProtected.Error()} {
		raw, err := os.ReadFile("testdata/" + name + ".xls")
		if err != nil {
			t.Fatal(err)
		}
		c, err := Read(raw, extract.NoProgress)
		if reason != "" {
			extracttest.WantSkip(t, err, reason)
			continue
		}
		extracttest.CheckContent(t, c, err)
		if !strings.HasPrefix(c.Text, "## Tides\n\n| Harbour 0 港 | 0 |\n| --- | --- |\n| Harbour 1 港 | 1.25 |\n") || !strings.Contains(c.Text, "| Harbour 39 港 | 48.75 |\n") {
			t.Errorf("read\n%s", c.Text)
		}
	}
}

func fromHex(t *testing.T, digits string) string {
	t.Helper()
	b, err := hex.DecodeString(digits)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestPasswords checks passwords against what Excel wrote: a key of Excel 95, and salts and
// verifiers of Excel 2002.
func TestPasswords(t *testing.T) {
	weak := fromHex(t, "59b30a9a")
	cipher := newRecordCipher([]byte(weak), defaultPassword, false)
	if cipher == nil {
		t.Fatal("the password is not that of the key")
	}
	twice := recordOf(recPassword, weak) // a second record would cost the time of a whole decryption
	_, err := Read(extracttest.CompoundFile("Book", bookOf(0x0500, twice+twice, recordOf(recLabel, 0, 0, 0, 1, "a"))), extract.NoProgress)
	extracttest.WantSkip(t, err, extract.ErrPasswordProtected.Error())
	codePage := []byte{0x82, 0x63}
	if cipher.decrypt(codePage, 0xA2, 2); string(codePage) != "\xe4\x04" {
		t.Errorf("decrypted %x, want that of 1252", codePage)
	}
	crypto := func(keySize uint32, salt, verifier, hash string) string {
		header := recordOf(0, uint32(4), uint32(0), uint32(26625), uint32(32772), keySize, uint32(1), uint32(0), uint32(0), "C\x00\x00\x00")[4:]
		return recordOf(0, 1, 2, 2, uint32(4), uint32(len(header)), header, uint32(16), fromHex(t, salt), fromHex(t, verifier), uint32(20), fromHex(t, hash))[4:]
	}
	short := crypto(40, "3c167edfaf24e4b07e8da676efe25b83", "90881eb1de098fd6723f651a743f4944", "959ff92038bca768b454fd7636c282c66478ff40")
	long := crypto(128, "1ffa985cdba1f646793e033ea57759eb", "576cae338728cd019c7a2e72d3ef1d56", "9dae3604ab1add977c10a94d25421a444fe96b32")
	for name, c := range map[string]struct {
		record, password string
		isBIFF8, opens   bool
	}{
		"40 bits":                {short, "password", true, true},
		"128 bits":               {long, "password", true, true},
		"another password":       {long, defaultPassword, true, false},
		"a key of no known size": {strings.Replace(long, "\x80\x00\x00\x00\x01", "\x88\x00\x00\x00\x01", 1), "password", true, false},
		"cut off":                {long[:len(long)-1], "password", true, false},
		"weak, in BIFF8":         {"\x00\x00" + weak, defaultPassword, true, true},
		"weak, another password": {weak, "VelvetSweatshoq", false, false},
		"weak, a short password": {weak, "Velvet", false, false},
		"nothing":                {"", defaultPassword, true, false},
	} {
		if opens := newRecordCipher([]byte(c.record), c.password, c.isBIFF8) != nil; opens != c.opens {
			t.Errorf("%s: opens %v, want %v", name, opens, c.opens)
		}
	}
}
