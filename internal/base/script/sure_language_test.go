package script

import "testing"

// letters are a few lines to a friend in each language that is told by its words or letters.
var letters = map[string]string{
	"en": "Dear Anna, the parcel is at the neighbour's. Ring the bell when you come by, and ask for the key.",
	"de": "Liebe Anna, das Paket liegt bei den Nachbarn. Klingle bitte, wenn du kommst, und frag nach dem Schlüssel. Er ist nicht immer zu Hause.",
	"fr": "Chère Anne, le colis est chez les voisins. Sonne quand tu passes et demande la clé pour la porte du jardin. Ils ne sont pas toujours là.",
	"es": "Querida Ana: el paquete está en casa de los vecinos. Llama cuando pases y pide la llave del jardín, que no siempre está abierto.",
	"pt": "Querida Ana, a encomenda está em casa dos vizinhos. Toca quando passares e pede a chave do jardim, que não está sempre aberto para todos.",
	"it": "Cara Anna, il pacco è dai vicini. Suona quando passi e chiedi la chiave del giardino, che non è sempre aperto. Lo sanno già.",
	"nl": "Lieve Anna, het pakket ligt bij de buren. Bel aan als je langskomt en vraag om de sleutel van de tuin. Zij zijn niet altijd thuis.",
	"pl": "Droga Anno, paczka jest u sąsiadów. Zadzwoń, jak przyjdziesz, i poproś o klucz do ogrodu. Nie zawsze są w domu, ale to nie szkodzi.",
	"cs": "Milá Anno, balík je u sousedů, který není vždy doma. Zazvoň, až půjdeš kolem, a řekni si o klíč od zahrady, nebo pro něj přijď večer. Nejsou daleko, protože se vrátí do osmi.",
	"sv": "Kära Anna, paketet är hos grannarna. Ring på när du kommer förbi och fråga om nyckeln till trädgården. De är inte alltid hemma.",
	"da": "Kære Anna, pakken er hos naboerne. Ring på, når du kommer forbi, og spørg om nøglen til haven. De er ikke altid hjemme, og af og til er de ude at rejse.",
	"no": "Kjære Anna, pakken er hos naboene. Ring på når du kommer forbi, og spør om nøkkelen til hagen. De er ikke alltid hjemme, og av og til er de ute for å reise.",
	"fi": "Hei Anna, paketti on naapurissa. Soita kelloa, kun tulet ohi, ja pyydä avain, joka on myös meille. He eivät ole aina kotona, mutta se ei haittaa.",
	"hu": "Kedves Anna, a csomag a szomszédoknál van. Csengess be, ha erre jársz, és kérd el az egyik kulcsot. Nem mindig vannak otthon, de ez nem baj.",
	"tr": "Sevgili Anna, paket komşularda. Geçerken zili çal ve anahtarı iste. Her zaman evde olmazlar, ne var ki bu bir sorun değil, daha sonra da gelebilirsin.",
	"ro": "Dragă Ana, pachetul este la vecini. Sună când treci și cere cheia din grădină. Nu sunt mereu acasă, dar nu este o problemă pentru noi.",
	"id": "Anna yang baik, paketnya ada di tetangga. Bunyikan bel dan minta kunci untuk kebun. Mereka tidak selalu di rumah, tetapi itu tidak apa.",
	"vi": "Anna thân mến, gói hàng ở nhà hàng xóm. Khi đi qua hãy bấm chuông và hỏi chìa khóa của vườn. Họ không phải lúc nào cũng có ở nhà, với lại là người tốt.",
	"ca": "Estimada Anna, el paquet és a casa dels veïns. Truca quan passis i demana la clau del jardí, que no sempre és obert. Ho saben des de fa una setmana, i amb gust t'obren.",
	"bs": "Draga Ana, paket je kod komšija. Zazvoni kad prođeš i traži ključ od bašte. Nisu uvijek kod kuće, ali to ne smeta, jer su kao i mi navikli na to i vrate se za sat.",
	"ru": "Дорогая Анна, посылка у соседей. Позвони, когда придёшь, и попроси ключ от сада. Они не всегда дома, но это не беда, все как обычно.",
	"uk": "Люба Анно, пакунок у сусідів. Подзвони, як прийдеш, і попроси ключ від саду. Вони не завжди вдома, але це не біда, бо до вечора є час.",
	"bg": "Скъпа Анна, пакетът е при съседите. Позвъни, като минеш, и поискай ключа за градината. Те не са винаги у дома, но това не е проблем, защото ще се върнат.",
	"sr": "Драга Ана, пакет је код комшија. Зазвони кад прођеш и тражи кључ од баште. Они нису увек код куће, али то не смета, јер се врате за сат, као и ми.",
	"zh": "包裹在邻居家，按门铃要钥匙。",
	"ja": "荷物は隣の家にあります。",
	"ko": "소포는 이웃집에 있습니다.",
	"ar": "الطرد عند الجيران، اضغط الجرس واطلب المفتاح.",
	"el": "Το δέμα είναι στους γείτονες.",
}

func TestSureLanguageOfLetters(t *testing.T) {
	for want, text := range letters {
		if got := CertainLanguageOf(text).Code(); got != want {
			t.Errorf("%q is surely in %q, want %q", text, got, want)
		}
	}
}

// TestSureLanguageOf: a note of a line is enough, and what is no prose in one language is not.
func TestSureLanguageOf(t *testing.T) {
	for text, want := range map[string]string{
		"Ask the landlord for a new key.": "en", "Der Schlüssel ist bei den Nachbarn.": "de", "明天买牛奶和面包": "zh",
		"解压 zip 文件，再看看 `tar --help of the program` 里怎么说。": "zh",

		"": "", "Anna Miller, Oslo": "", "牛奶": "",
		`import{_ as a,c as e,o as t}from"./b.js";function a(e,o){return a(e,o)}`: "",
		"- https://github.com/a/b\n- https://www.c.com/d":                         "",
		"A B C a v a o s k z a = v / k + s, a v o z i":                            "",
		"```sh\n# the way to do it is not to ask for it\n```":                     "",
		"AS DE LA NA DO SE E O AS DE LA NA":                                       "",
		"Σ = α + β, where γ":                                                      "",
		"la de en un que":                                                         "", // Spanish, Catalan or French
		"بسته پیش همسایه است، زنگ بزن و کلید باغ را بگیر.":                        "", // Persian has letters of its own
	} {
		if got := CertainLanguageOf(text).Code(); got != want {
			t.Errorf("%q is surely in %q, want %q", text, got, want)
		}
	}
}

func BenchmarkSureLanguageOf(b *testing.B) {
	text := letters["en"] + letters["fr"] + letters["zh"] + letters["ru"]
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		CertainLanguageOf(text)
	}
}
