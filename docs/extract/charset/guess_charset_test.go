package charset

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"vademecum/docs/extract"
)

const (
	simplifiedText  = "门诊随访记录\n患者三个月前开始服用降压药，近来头晕减轻，血压早晚各测一次。建议每天食盐不超过五克，多吃蔬菜，坚持散步；两周后复查肾功能和血钾。\n"
	traditionalText = "門診隨訪記錄\n患者三個月前開始服用降壓藥，近來頭暈減輕，血壓早晚各測一次。建議每天食鹽不超過五克，多吃蔬菜，堅持散步；兩週後複查腎功能和血鉀。\n"
	japaneseText    = "外来の記録\n三か月前から血圧の薬を飲んでいます。最近はめまいが少なくなりました。塩分は一日六グラムまでにして、野菜を多く食べ、毎日歩いてください。\n"
	koreanText      = "외래 진료 기록\n환자는 석 달 전부터 혈압약을 먹고 있으며 요즘은 어지럼증이 줄었습니다. 소금은 하루에 오 그램을 넘지 말고 채소를 많이 드시고 매일 걸으십시오.\n"
	russianText     = "Запись о приёме\nТри месяца назад больной начал принимать таблетки от давления, голова кружится реже. Соли не больше пяти граммов в день, больше овощей и прогулок.\n"
	ukrainianText   = "Запис про прийом\nТри місяці тому хворий почав приймати ліки від тиску, голова крутиться рідше. Їжте більше овочів, ґрунтовно гуляйте щодня.\n"
	frenchText      = "Compte rendu de la consultation\nLe patient a commencé son traitement il y a trois mois ; les vertiges ont diminué. Pas plus de cinq grammes de sel par jour, des légumes à chaque repas, et la même dose jusqu'au contrôle.\n"
	euroText        = "Le cœur va bien ; la main-d'œuvre coûte 40 €, le contrôle a été payé.\n"
	germanText      = "Bericht über den Besuch\nDer Patient nimmt seit drei Monaten Tabletten; der Schwindel hat nachgelassen. Höchstens fünf Gramm Salz täglich, mehr Gemüse, regelmäßig spazieren gehen.\n"
	polishText      = "Notatka z wizyty\nPacjent od trzech miesięcy przyjmuje leki na ciśnienie, zawroty głowy są rzadsze. Sól najwyżej pięć gramów dziennie, więcej warzyw i długie spacery.\n"
	czechText       = "Zápis z návštěvy\nPacient už tři měsíce užívá léky na tlak, závratě jsou řidší. Nejvýše pět gramů soli denně, více zeleniny a dlouhé procházky.\n"
	turkishText     = "Muayene notu\nHasta üç aydır tansiyon ilacı kullanıyor, baş dönmesi azaldı. Günde en çok beş gram tuz, daha çok sebze ve uzun yürüyüş öneriliyor; şikâyeti yok.\n"
	greekText       = "Σημείωμα επίσκεψης\nΟ ασθενής παίρνει χάπια για την πίεση εδώ και τρεις μήνες και ζαλίζεται λιγότερο. Λίγο αλάτι, πολλά λαχανικά και περπάτημα.\n"
	hebrewText      = "סיכום ביקור\nהחולה נוטל כדורים ללחץ דם מזה שלושה חודשים והסחרחורת פחתה. מעט מלח, הרבה ירקות והליכה בכל יום.\n"
	arabicText      = "ملاحظة الزيارة\nيتناول المريض دواء الضغط منذ ثلاثة أشهر وقد خف الدوار. القليل من الملح والكثير من الخضار والمشي كل يوم.\n"
	lithuanianText  = "Vizito užrašas\nLigonis jau tris mėnesius vartoja vaistus nuo kraujospūdžio, galva svaigsta rečiau. Mažiau druskos, daugiau daržovių ir ilgų pasivaikščiojimų.\n"
	thaiText        = "บันทึกการตรวจ\nผู้ป่วยกินยาลดความดันมาสามเดือนแล้ว อาการเวียนหัวลดลง ควรกินเกลือให้น้อย กินผักให้มาก และเดินทุกวัน\n"
)

// encodedTexts are texts in one encoding each.
var encodedTexts = []struct{ name, text string }{
	{"GB18030", simplifiedText},
	{"GB18030", traditionalText},
	{"Big5", traditionalText},
	{"Shift-JIS", japaneseText},
	{"EUC-JP", japaneseText},
	{"EUC-KR", koreanText},
	{"Windows-1251", russianText},
	{"Windows-1251", ukrainianText},
	{"KOI8-R", russianText},
	{"KOI8-U", ukrainianText},
	{"ISO-8859-5", russianText},
	{"IBM866", russianText},
	{"Windows-1252", frenchText},
	{"Windows-1252", germanText},
	{"ISO-8859-15", euroText},
	{"Windows-1250", polishText},
	{"Windows-1250", czechText},
	{"ISO-8859-2", polishText},
	{"ISO-8859-2", czechText},
	{"Windows-1253", greekText},
	{"ISO-8859-7", greekText},
	{"Windows-1254", turkishText},
	{"Windows-1255", hebrewText},
	{"Windows-1256", arabicText},
	{"ISO-8859-6", arabicText},
	{"Windows-1257", lithuanianText},
	{"Windows-874", thaiText},
}

// encodeWith encodes text in the encoding with that name.
func encodeWith(t testing.TB, name, text string) []byte {
	t.Helper()
	for _, c := range candidates() {
		if c.name != name {
			continue
		}
		raw, err := c.encoding.NewEncoder().Bytes([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return raw
	}
	t.Fatalf("no encoding %s", name)
	return nil
}

func TestGuessCharset(t *testing.T) {
	for _, tt := range encodedTexts {
		for _, times := range []int{1, 200} {
			text := strings.Repeat(tt.text, times)
			d, err := Decode(encodeWith(t, tt.name, text))
			// Greek texts without the few characters that differ are the same in both encodings.
			named := d.Encoding == tt.name || d.Encoding == "Windows-1253" && tt.name == "ISO-8859-7"
			if err != nil || d.Text != text || !named || !d.IsGuessed {
				t.Errorf("%s, %d times: got %s, %.60q, %v", tt.name, times, d.Encoding, d.Text, err)
			}
		}
	}
}

func TestGuessCharsetOfShortText(t *testing.T) {
	tests := []struct{ name, text string }{
		{"GB18030", "高血压"},
		{"GB18030", "你好"},
		{"GB18030", "今天很累，早点睡。"},
		{"GB18030", "买菜：白菜、豆腐、鸡蛋"},
		{"GB18030", "CT检查: 未见异常"},
		{"GB18030", "阿司匹林 100mg 每日一次"},
		{"Big5", "今天很累，早點睡。"},
		{"Big5", "血壓藥每天一次"},
		{"Shift-JIS", "今日はとても疲れた"},
		{"Shift-JIS", "カルテの番号"},
		{"EUC-JP", "血圧の薬は毎日一回"},
		{"EUC-KR", "혈압약은 하루 한 번"},
		{"Windows-1251", "Привет, как дела?"},
		{"KOI8-R", "Привет, как дела?"},
		{"Windows-1252", "café"},
		{"Windows-1252", "Größe"},
		{"Windows-1252", "It’s a “test”."},
	}
	for _, tt := range tests {
		d, err := Decode(encodeWith(t, tt.name, tt.text))
		if err != nil || d.Text != tt.text || d.Encoding != tt.name {
			t.Errorf("%s: %s is read as %s: %q, %v", tt.name, tt.text, d.Encoding, d.Text, err)
		}
	}
}

func TestBadBytesDropNoFile(t *testing.T) {
	gbk := string(encodeWith(t, "GB18030", strings.Repeat(simplifiedText, 5)))
	tests := []struct{ name, raw, want string }{
		{"GB18030 with a bad byte", gbk + "\xff\n" + gbk, strings.Repeat(simplifiedText, 5) + "\uFFFD\n" + strings.Repeat(simplifiedText, 5)},
		{"GB18030 cut in a character", gbk + "\xb8", strings.Repeat(simplifiedText, 5) + "\uFFFD"},
		{"UTF-8 cut in a character", "血压高，头痛" + "\xe5", "血压高，头痛\uFFFD"},
		{"marked UTF-8 with a bad byte", "\uFEFFplain text \xe9 more text", "plain text \uFFFD more text"},
		{"English with one letter of Windows-1252", strings.Repeat("plain text\n", 10_000) + "caf\xe9", strings.Repeat("plain text\n", 10_000) + "café"},
		{"a line of GB18030 after much ASCII", strings.Repeat("x", 100_000) + gbk, strings.Repeat("x", 100_000) + strings.Repeat(simplifiedText, 5)},
	}
	for _, tt := range tests {
		d, err := Decode([]byte(tt.raw))
		if err != nil || d.Text != tt.want {
			t.Errorf("%s: got %s, %.80q, %v", tt.name, d.Encoding, d.Text, err)
		}
	}
}

func TestNoiseIsNotText(t *testing.T) {
	source := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{200, 1000, 10_000} {
		for range 10 {
			high, all := make([]byte, size), make([]byte, size)
			for i := range size {
				high[i] = byte(0x80 + source.IntN(0x80))
				all[i] = byte(0x20 + source.IntN(0xE0))
			}
			for _, raw := range [][]byte{high, all, append([]byte("\xEF\xBB\xBF"), high...), append([]byte("\xFF\xFE"), high...)} {
				d, err := Decode(raw)
				var skip *extract.SkipError
				if !errors.As(err, &skip) || skip.Error() != ErrNotText.Error() {
					t.Errorf("%d random bytes are read as %s: %.60q, %v", size, d.Encoding, d.Text, err)
				}
			}
		}
	}
}

func TestSample(t *testing.T) {
	short := []byte("short \xb8\xdf")
	if got := sampleNonASCII(short); !bytes.Equal(got, short) {
		t.Errorf("got %q", got)
	}
	ascii := strings.Repeat("x", sampleLength)
	margin := strings.Repeat("x", sampleMargin)
	got := sampleNonASCII([]byte(ascii + "\xb8\xdf" + ascii + "\xd1\xaa"))
	if want := margin + "\xb8\xdf" + margin + margin + "\xd1\xaa"; string(got) != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := sampleNonASCII([]byte(strings.Repeat("\xb8\xdf", sampleLength))); len(got) < sampleLength || len(got) > 2*sampleLength {
		t.Errorf("got %d bytes", len(got))
	}
}
