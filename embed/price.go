package embed

// Price is the price of a hosted model.
type Price struct {
	PerMillion float64 // price per million tokens
	Currency   string  // such as "USD"
	Date       string  // date of the price, such as 2026-05
	SourceURL  string  // URL of the price list
}

// prices holds the prices of immediate calls (not batch jobs), beyond any free allowance, by host
// and model. The date is that of the source, or November 2026, when it was looked up, if the page
// has none.
var prices = map[string]map[string]Price{
	"api.openai.com": {
		"text-embedding-3-small": openaiPrice(0.02),
		"text-embedding-3-large": openaiPrice(0.13),
		"text-embedding-ada-002": openaiPrice(0.10),
	},
	"api.voyageai.com": {
		"voyage-4-large":        voyagePrice(0.12),
		"voyage-4":              voyagePrice(0.06),
		"voyage-4-lite":         voyagePrice(0.02),
		"voyage-3-large":        voyagePrice(0.18),
		"voyage-3.5":            voyagePrice(0.06),
		"voyage-3.5-lite":       voyagePrice(0.02),
		"voyage-code-3":         voyagePrice(0.18),
		"voyage-finance-2":      voyagePrice(0.12),
		"voyage-law-2":          voyagePrice(0.12),
		"voyage-multilingual-2": voyagePrice(0.12),
	},
	"dashscope.aliyuncs.com": { // Beijing
		"text-embedding-v4": beijingPrice(0.5),
		"text-embedding-v3": beijingPrice(0.5),
		"text-embedding-v2": beijingPrice(0.7),
	},
	"dashscope-intl.aliyuncs.com": { // Singapore
		"text-embedding-v4": singaporePrice(0.07),
		"text-embedding-v3": singaporePrice(0.07),
	},
	"api.siliconflow.cn": {
		"BAAI/bge-m3": {0, "CNY", "2026-11", "https://yangmao.ai/zh/blog/free-embedding-vector-db-guide/"},
	},
}

func openaiPrice(perMillion float64) Price {
	return Price{perMillion, "USD", "2026-05", "https://platform.openai.com/docs/pricing"}
}

func voyagePrice(perMillion float64) Price {
	return Price{perMillion, "USD", "2026-05", "https://docs.voyageai.com/docs/pricing"}
}

func beijingPrice(perMillion float64) Price {
	return Price{perMillion, "CNY", "2026-11", "https://help.aliyun.com/en/model-studio/embedding-interfaces-compatible-with-openai"}
}

func singaporePrice(perMillion float64) Price {
	return Price{perMillion, "USD", "2026-11", "https://docs.qwencloud.com/api-reference/text-embedding/openai-embedding"}
}
