package charset

import (
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	unicodes "golang.org/x/text/encoding/unicode"
)

const (
	sampleLength = 4 << 10 // minimum number of bytes of a file on which a guess is based, if it has that many
	sampleMargin = 16      // number of ASCII bytes kept on either side of other bytes
)

// A sample counts as text if it costs fewer bits than random bytes would: noiseByte for each byte,
// and noiseMore in addition, so that even a single rare word is text.
const (
	noiseByte = 7
	noiseMore = 24
)

// A candidate is an encoding with models of the languages in which files in it are usually written.
type candidate struct {
	name     string // name of the encoding; "" for UTF-8
	encoding encoding.Encoding
	handicap int // bits added to the cost of the text: the more, the rarer the encoding is
	models   []*languageModel
}

// candidates lists the encodings that can be guessed. If a text reads the same in several, the
// first is named: ISO-8859-1, -8, -9 and -13 are reported as the Windows encodings with the same
// letters, and GBK and GB 2312 as GB18030.
var candidates = sync.OnceValue(func() []candidate {
	var (
		simplified  = newHanModel(commonSimplified, unicode.Han)
		traditional = newHanModel(commonTraditional, unicode.Han)
		japan       = newJapaneseModel()
		korea       = newHanModel(commonHangul, unicode.Hangul)

		western = newLatinModels("éèàêçâîùôûœëïü", "üäöß", "íóáéñúü", "ãçáéíóêõúâôà", "èàùòìé", "åäöæøé")
		iceland = newLatinModels("íáðþöéúýæó")
		central = newLatinModels("łążęóśćńź", "íáéěřčžýšůúťďňó", "áéíčžýúšľťôňäď", "áéőöíóüúű", "ăîşţâ", "čšžćđ")
		turkish = newLatinModels("ışğüçöİâî")
		baltic  = newLatinModels("ėšųžįčąūę", "āīšēņķļžūčģ", "äõüöšž")
		viet    = newLatinModels("đ\u0301ư\u0300ơ\u0323ê\u0309âôă\u0303")
		slavic  = newAlphabetModel("оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъёіїєґўјљњћђџѓќѕ")
		greek   = newAlphabetModel("αοιετσνηυρπκμλςάίόέθήδγύώχωφβξζψϊΐ")
		hebrew  = newAlphabetModel("יוהלאמרתבשנםעדחקפגטכןצסזךץף")
		arabic  = newAlphabetModel("اليمنتروبةعدسفهكقحجشطىصخأذضزثغءئظإآؤ،پگچکژ")
		thai    = newAlphabetModel("านรกอเงมยลวดทสตะปบคหแจพชขใโไผถซธศณภษฐญฝฟฮ่้ั์ิีุูำ็ึื")
	)
	return []candidate{
		{"", unicodes.UTF8, 0, []*languageModel{newMixedModel()}},
		{"GB18030", simplifiedchinese.GB18030, 0, []*languageModel{simplified, traditional}},
		{"Windows-1252", charmap.Windows1252, 0, western},
		{"Big5", traditionalchinese.Big5, 3, []*languageModel{traditional}},
		{"Shift-JIS", japanese.ShiftJIS, 3, []*languageModel{japan}},
		{"EUC-JP", japanese.EUCJP, 5, []*languageModel{japan}},
		{"EUC-KR", korean.EUCKR, 3, []*languageModel{korea}},
		{"Windows-1251", charmap.Windows1251, 3, slavic},
		{"KOI8-R", charmap.KOI8R, 5, slavic},
		{"KOI8-U", charmap.KOI8U, 6, slavic},
		{"ISO-8859-5", charmap.ISO8859_5, 6, slavic},
		{"IBM866", charmap.CodePage866, 6, slavic},
		{"ISO-8859-15", charmap.ISO8859_15, 5, western},
		{"Windows-1250", charmap.Windows1250, 3, central},
		{"ISO-8859-2", charmap.ISO8859_2, 4, central},
		{"Windows-1254", charmap.Windows1254, 4, turkish},
		{"Windows-1253", charmap.Windows1253, 5, greek},
		{"ISO-8859-7", charmap.ISO8859_7, 6, greek},
		{"Windows-1255", charmap.Windows1255, 6, hebrew},
		{"Windows-1256", charmap.Windows1256, 6, arabic},
		{"ISO-8859-6", charmap.ISO8859_6, 8, arabic},
		{"Windows-1257", charmap.Windows1257, 6, baltic},
		{"Windows-1252", charmap.Windows1252, 8, iceland},
		{"Windows-1258", charmap.Windows1258, 8, viet},
		{"Windows-874", charmap.Windows874, 6, thai},
		{"Macintosh", charmap.Macintosh, 5, western},
		{"Macintosh saved twice", resavedEncoding{charmap.Macintosh}, 8, western},
		{"UTF-8 saved as Macintosh", resavedEncoding{unicodes.UTF8}, 8, western},
		{"UTF-8 saved as Macintosh", resavedEncoding{resavedEncoding{unicodes.UTF8}}, 11, western},
	}
})

// guessCharset decodes raw, which is not valid UTF-8, in the encoding in which it reads most like
// text: the one for which a simple language model needs the fewest bits to encode a sample. ok is
// false if that is no fewer than random bytes need.
func guessCharset(raw []byte) (DecodedText, bool) {
	part := sampleNonASCII(raw)
	var best *candidate
	least := len(part)*noiseByte + noiseMore
	for i, c := range candidates() {
		text := c.decode(part)
		for _, w := range c.models {
			if bits := c.handicap + w.textCost(text, least-c.handicap); bits < least {
				best, least = &candidates()[i], bits
			}
		}
	}
	if best == nil {
		return DecodedText{}, false
	}
	text := strings.TrimPrefix(best.decode(raw), "\uFEFF")
	return DecodedText{Text: text, Encoding: best.name, IsGuessed: best.name != ""}, true
}

func (c *candidate) decode(raw []byte) string {
	// The decoders replace what they cannot decode, so they return no error.
	text, _ := c.encoding.NewDecoder().Bytes(raw)
	return string(text)
}

// sampleNonASCII returns the first stretches of raw that are not ASCII, with some of the ASCII
// around them. A stretch begins at a character boundary in every encoding, because it begins within
// ASCII, well after the last non-ASCII byte.
func sampleNonASCII(raw []byte) []byte {
	if len(raw) <= sampleLength {
		return raw
	}
	var part []byte
	from, to := 0, 0
	for i, b := range raw {
		if b < 0x80 {
			continue
		}
		if i-sampleMargin > to {
			part = append(part, raw[from:to]...)
			from = i - sampleMargin
		}
		to = min(i+1+sampleMargin, len(raw))
		if len(part)+to-from >= sampleLength {
			break
		}
	}
	return append(part, raw[from:to]...)
}
