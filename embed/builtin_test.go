package embed

import (
	"context"
	"encoding/binary"
	"hash/crc32"
	"math"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestBuiltinContract(t *testing.T) {
	for _, spec := range []string{"", "builtin", " builtin "} {
		e, err := New(spec)
		if err != nil {
			t.Fatal(err)
		}
		if e.ModelIdentity() != "builtin/1" {
			t.Errorf("New(%q).Model() = %q", spec, e.ModelIdentity())
		}
	}
	testEmbedder(t, builtin{})
}

func builtinVector(t testing.TB, text string) []float32 {
	t.Helper()
	v, err := builtin{}.Embed(context.Background(), Passage, []string{text})
	if err != nil {
		t.Fatal(err)
	}
	return v[0]
}

// TestBuiltinIsStable fails when vectors change. Stored vectors would then no
// longer match new ones: raise builtinModel together with the sums below.
func TestBuiltinIsStable(t *testing.T) {
	for text, want := range map[string]uint32{
		"Blood pressure of the patients: 140/90 mmHg.": 0x2b9f4296,
		"高血压患者的饮食要注意什么?":                               0x42caa6d5,
		"café ΣΊΣΥΦΟΣ ひらがな 한국어":                        0xbae1ef6e,
		"***": 0x4c6410ae,
	} {
		sum := crc32.NewIEEE()
		for _, x := range builtinVector(t, text) {
			// Rounded, because processors may differ in the last bit.
			n := int16(math.Round(float64(x) * 10000))
			if err := binary.Write(sum, binary.LittleEndian, n); err != nil {
				t.Fatal(err)
			}
		}
		if got := sum.Sum32(); got != want {
			t.Errorf("vector of %q has sum %#x, want %#x", text, got, want)
		}
	}
}

// TestBuiltinAfterLongText guards the reuse of buffers: what was read before
// must not show.
func TestBuiltinAfterLongText(t *testing.T) {
	long := strings.Join(manyTexts(5000), " ")
	ctx := context.Background()
	alone, err := builtin{}.Embed(ctx, Passage, []string{"short 短文"})
	if err != nil {
		t.Fatal(err)
	}
	after, err := builtin{}.Embed(ctx, Passage, []string{long, "short 短文", long, "short 短文"})
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{1, 3} {
		for d := range alone[0] {
			if alone[0][d] != after[i][d] {
				t.Fatalf("vector %d differs after a long text", i)
			}
		}
	}
}

func TestBuiltinSameVector(t *testing.T) {
	for _, pair := range [][2]string{
		{"Blood Pressure", "blood, pressure!"},
		{"ＡＢＣ１２３", "abc123"},   // full-width forms
		{"café", "cafe\u0301"}, // composed and decomposed
		{"ΣΊΣΥΦΟΣ", "σίσυφος"}, // final sigma
		{"therapies", "therapy"},
		{"drugs", "drug"},
		{"hy\u00adphen", "hyphen"},
		{"高血压。", "高血压"},
		{"sugar 糖", "SUGAR糖"},
	} {
		if c := cosine(builtinVector(t, pair[0]), builtinVector(t, pair[1])); c < 0.99999 {
			t.Errorf("%q and %q: cosine %.3f, want 1", pair[0], pair[1], c)
		}
	}
}

func TestBuiltinRanks(t *testing.T) {
	for _, tt := range []struct{ query, better, worse string }{
		{"hypertension diet", "Diet for patients with hypertension: less salt.", "The bus leaves at nine from the station."},
		{"what is the dose of the metformin", "Metformin 500 mg twice a day.", "What is the name of the river in the north?"},
		{"diabetic", "Diabetes is treated with insulin.", "The roof needs new tiles before winter."},
		{"hypertenson", "hypertension", "tension"}, // a typing error
		{"高血压患者饮食要注意什么", "高血压病人应当低盐饮食。", "明天我要去的地方是什么样子"},
		{"糖", "控制血糖的方法", "心脏病的预防"},
		{"的糖尿病", "糖尿病", "的"},
		{"インスリン", "インスリンを注射する", "パソコンを買う"},
		{"혈압", "혈압이 높은 환자", "내일 학교에 간다"},
		{"ยา", "ยา", "บ้าน"},
	} {
		q := builtinVector(t, tt.query)
		better, worse := cosine(q, builtinVector(t, tt.better)), cosine(q, builtinVector(t, tt.worse))
		if better <= worse+0.1 {
			t.Errorf("%q: %.3f for %q, %.3f for %q", tt.query, better, tt.better, worse, tt.worse)
		}
	}
}

func TestLongestFunctionWord(t *testing.T) {
	f := newFeatureCounter()
	for _, w := range []string{"themselves", "The", "they"} {
		f.countText(w)
		if len(f.entries) != 1 || f.entries[0].weight != wordWeight*functionPart {
			t.Errorf("%q is not read as a function word: %v", w, f.entries)
		}
	}
}

func TestTableGrows(t *testing.T) {
	f := newFeatureCounter()
	for round := range 3 {
		f.reset()
		const n = 3 * minSlots
		for i := range uint64(2 * n) {
			f.add(mixBits(i%n), 1)
		}
		if len(f.entries) != n {
			t.Fatalf("round %d: %d features, want %d", round, len(f.entries), n)
		}
		for i, e := range f.entries {
			if e.count != 2 || e.hash != mixBits(uint64(i)) {
				t.Fatalf("round %d: feature %d is %+v", round, i, e)
			}
		}
	}
}

func FuzzBuiltin(f *testing.F) {
	for _, text := range oddTexts() {
		if len(text) < 1000 {
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		if n := vectorNorm(builtinVector(t, text)); !(math.Abs(n-1) < 1e-5) {
			t.Errorf("length %v, want 1", n)
		}
	})
}

func BenchmarkBuiltin(b *testing.B) {
	english := "The patient was admitted with shortness of breath and swelling of both ankles. " +
		"Blood pressure on arrival was 168/94 mmHg, the heart rate 96 and irregular; an electrocardiogram showed atrial " +
		"fibrillation without signs of acute ischaemia. Treatment with furosemide and a beta blocker relieved the symptoms " +
		"within two days. She was advised to weigh herself every morning, to limit salt to less than five grams a day and to " +
		"call the ward when her weight rises by more than two kilograms in three days. The next visit is planned in four weeks, " +
		"with kidney function and potassium to be checked before."
	chinese := "患者因气短和双踝水肿入院,入院时血压一百六十八比九十四毫米汞柱,心率九十六次且不规则,心电图显示心房颤动,未见急性缺血表现。" +
		"给予利尿剂和受体阻滞剂治疗后,症状在两天内缓解。建议患者每天早晨测量体重,每日食盐摄入量不超过五克,如果三天内体重增加超过两公斤," +
		"应当及时联系病房。四周后复诊,复诊之前检查肾功能和血钾水平,并根据结果调整药物剂量。"
	for _, bb := range []struct{ name, text string }{{"english", english}, {"chinese", chinese}} {
		b.Run(bb.name, func(b *testing.B) {
			runes := []rune(bb.text)
			texts := make([]string, 100)
			for i := range texts { // each begins elsewhere, lest the processor learn one text by heart
				texts[i] = string(runes[i:]) + string(runes[:i])
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := (builtin{}).Embed(b.Context(), Passage, texts); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N*len(texts))/b.Elapsed().Seconds(), "chunks/s")
			b.ReportMetric(float64(len(bb.text)), "bytes/chunk")
		})
	}
}

// TestBuiltinStaysHere has every key and address in the environment that a
// remote provider would use, and no connection may be made.
func TestBuiltinStaysHere(t *testing.T) {
	clearEnvironment(t)
	s := newAPIServer(t)
	for name, value := range map[string]string{
		"VADEMECUM_API_KEY": "sk-secret", "OPENAI_API_KEY": "sk-secret",
		"OPENAI_BASE_URL": s.URL + "/v1", "OLLAMA_HOST": s.URL, "HTTP_PROXY": s.URL, "HTTPS_PROXY": s.URL,
	} {
		t.Setenv(name, value)
	}
	transport := http.DefaultTransport
	t.Cleanup(func() { http.DefaultTransport = transport })
	http.DefaultTransport = &http.Transport{DialContext: func(_ context.Context, network, address string) (net.Conn, error) {
		t.Errorf("dial %s %s", network, address)
		return nil, net.ErrClosed
	}}
	sockets := openSockets(t)
	e, err := New("")
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := e.(builtin); !ok || PropertiesOf("").Host != "" || PropertiesOf("builtin").Host != "" {
		t.Errorf("the default provider is %T, its host %q", e, PropertiesOf("").Host)
	}
	testEmbedder(t, e)
	if now := openSockets(t); now > sockets {
		t.Errorf("%d sockets are open, %d were before", now, sockets)
	}
	if s.count() > 0 {
		t.Errorf("%d requests were sent", s.count())
	}
}

// openSockets counts those of this process where the system tells; elsewhere it
// returns 0.
func openSockets(t *testing.T) int {
	t.Helper()
	const dir = "/proc/self/fd"
	entries, err := os.ReadDir(dir)
	if err != nil {
		return 0
	}
	n := 0
	for _, entry := range entries {
		if to, err := os.Readlink(filepath.Join(dir, entry.Name())); err == nil && strings.HasPrefix(to, "socket:") {
			n++
		}
	}
	return n
}
