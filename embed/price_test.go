package embed

import (
	"net/url"
	"regexp"
	"testing"
)

func TestPrice(t *testing.T) {
	clearEnvironment(t)
	for spec, want := range map[string]float64{
		"openai:text-embedding-3-small":                                            0.02,
		"openai:text-embedding-3-large?dimensions=256":                             0.13,
		"https://api.openai.com/v1#text-embedding-ada-002":                         0.10,
		"https://dashscope.aliyuncs.com/compatible-mode/v1#text-embedding-v4":      0.5,
		"https://dashscope-intl.aliyuncs.com/compatible-mode/v1#text-embedding-v3": 0.07,
		"https://api.voyageai.com/v1#voyage-3.5":                                   0.06,
		"https://api.siliconflow.cn/v1#BAAI/bge-m3":                                0,
	} {
		if p := PropertiesOf(spec).Price; p == nil || p.PerMillion != want {
			t.Errorf("%s: %v, want %v", spec, p, want)
		}
	}
	for _, spec := range []string{"", "builtin", "nonsense", "ollama:text-embedding-3-small", "openai:m", "http://127.0.0.1/v1#voyage-4"} {
		if p := PropertiesOf(spec).Price; p != nil {
			t.Errorf("%q costs %v, want no price", spec, p)
		}
	}
	t.Setenv("OPENAI_BASE_URL", "https://proxy.example/v1")
	if p := PropertiesOf("openai:text-embedding-3-small").Price; p != nil {
		t.Errorf("a model elsewhere costs %v, want no price", p)
	}
}

func TestPricesHaveSources(t *testing.T) {
	date := regexp.MustCompile(`^20\d\d-\d\d$`)
	for host, models := range prices {
		for model, p := range models {
			u, err := url.Parse(p.SourceURL)
			if err != nil || u.Scheme != "https" || !date.MatchString(p.Date) || p.PerMillion < 0 || len(p.Currency) != 3 {
				t.Errorf("%s at %s: %+v", model, host, p)
			}
		}
	}
}
