package charset

import (
	"strings"
	"testing"
)

// Tables as spreadsheets save them: mostly ASCII, with a name or a quotation mark here and there.
const (
	englishTable   = "id,name,comment\n1,\"O’Brien\",\"didn’t answer – “maybe” later…\"\n2,Zoë,\"her café’s closed\"\n3,Smith,none\n"
	frenchTable    = "ville;remarque\nBéziers;l’été, près de la forêt\nOrléans;à vérifier – déjà payé\nNîmes;reçu\n"
	germanTable    = "Ort;Straße;Bemerkung\nKöln;Südstraße 4;„geschlossen“\nMünchen;Königsplatz;größer als früher\n"
	spanishTable   = "nombre,ciudad\nJosé Núñez,Córdoba\nMaría Peña,Málaga\n\"¿Quién?\",Logroño\n"
	chineseTable   = "id,name,unit,amount\n1,阿司匹林,mg,100\n2,Vitamin C,片,3\n3,头孢克肟,盒,1\n"
	hongKongTable  = "id,name,unit,amount\n1,阿司匹林,mg,100\n2,Vitamin C,片,3\n3,感冒藥水,瓶,1\n"
	japaneseTable  = "id,name,note\n1,ﾔﾏﾀﾞ ﾀﾛｳ,東京都\n2,スズキ,OK\n3,TANAKA,大阪 3F\n"
	koreanTable    = "id,name,note\n1,김철수,서울\n2,LEE,부산 3F\n"
	russianTable   = "id;name;note\n1;Аспирин;100 mg\n2;Vitamin C;по одной в день\n"
	dashedEnglish  = "case,parties\n83,Osuna–Gutierrez v. Holder\n84,\"Zu–Chen, “Horng v. Lucero\"\n85,Kelly – none\n"
	quotingEnglish = "id,answer\n1,he doesn’t vote\n2,it’s one state’s Senate race\n3,the real response is ‘yes and no’\n"
)

// TestGuessCharsetOfTables checks that a few letters beyond ASCII suffice to guess the encoding of
// a table.
func TestGuessCharsetOfTables(t *testing.T) {
	for _, tt := range []struct{ name, text string }{
		{"Macintosh", englishTable},
		{"Macintosh", frenchTable},
		{"Macintosh", germanTable},
		{"Macintosh", spanishTable},
		{"Macintosh", frenchText},
		{"Macintosh", germanText},
		{"Windows-1252", englishTable},
		{"Windows-1252", frenchTable},
		{"Windows-1252", germanTable},
		{"Windows-1252", spanishTable},
		{"Windows-1252", quotingEnglish},
		{"GB18030", chineseTable},
		{"Big5", hongKongTable},
		{"Shift-JIS", japaneseTable},
		{"EUC-JP", japaneseTable},
		{"EUC-KR", koreanTable},
		{"Windows-1251", russianTable},
		{"KOI8-R", russianTable},
		{"UTF-8 saved as Macintosh", dashedEnglish},
		{"UTF-8 saved as Macintosh", quotingEnglish},
		{"Macintosh saved twice", quotingEnglish},
	} {
		for _, text := range []string{tt.text, "a,b\n" + strings.Repeat("1,plain words\n", 200) + tt.text, strings.Repeat(tt.text, 200)} {
			d, err := Decode(encodeWith(t, tt.name, text))
			if err != nil || d.Text != text || d.Encoding != tt.name || !d.IsGuessed {
				t.Errorf("%s of %d bytes: got %s, %.200q, %v", tt.name, len(text), d.Encoding, d.Text, err)
			}
		}
	}
}

// TestResavedIsMendedAsFarAsItGoes checks that characters which were lost, such as the third byte
// of a dash or a character that Mac OS Roman lacks, do not affect the others.
func TestResavedIsMendedAsFarAsItGoes(t *testing.T) {
	for raw, want := range map[string]string{
		"a,b\n1,Zu\x89\xDB\xD2Chen Horng\n2,Osuna\x89\xDB\xD2Gutierrez\n3,Alarc\x93\x98n\n":                         "a,b\n1,Zu–Chen Horng\n2,Osuna–Gutierrez\n3,Alarc\uFFFD\uFFFDn\n",
		"it is important \xE4\xF3\xF1 and fun, students\xE4\xF3\xEEinspiring, a testament\xE4\xF3_ to\n":            "it is important – and fun, students—inspiring, a testament\uFFFD_ to\n",
		"answer,n\nhe won\x89\xDB\xAAt,1\nshe\x89\xDB\xAAs late,2\nthey\x89\xDB\xAAre in,3\nit\x89\xDB\xAAs on,4\n": "answer,n\nhe won’t,1\nshe’s late,2\nthey’re in,3\nit’s on,4\n",
	} {
		if d, err := Decode([]byte(raw)); err != nil || d.Text != want || d.Encoding != "UTF-8 saved as Macintosh" {
			t.Errorf("got %s, %q, %v, want %q", d.Encoding, d.Text, err, want)
		}
	}
}

// TestStrayBytesAreNoAsianText checks that an English text with a few stray bytes is not decoded as
// Japanese or Chinese.
func TestStrayBytesAreNoAsianText(t *testing.T) {
	for _, raw := range []string{
		"1,Rub\xCC_\xE5\xA9n Garc\xCC__a Villalpando\n2,County Sheriff\xCC_\xCC_\xE5\xC8s Office\n",
		"1,Chlo\x91 Sevigny\n2,Alexander Skarsg\x8Crd\n3,Freddy Rodr\xD5guez\n",
		"the Empire using the\xE6M'Kraan Crystal\n",
	} {
		if d, err := Decode([]byte(raw)); err != nil || strings.ContainsFunc(d.Text, func(r rune) bool { return r > 0x2FFF && r != '\uFFFD' }) {
			t.Errorf("got %s, %q, %v", d.Encoding, d.Text, err)
		}
	}
}
