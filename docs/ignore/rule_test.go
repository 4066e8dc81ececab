package ignore

import (
	"testing"

	"vademecum/internal/base/message"
)

// TestRulesInChinese: each kind of rule has words in Chinese.
func TestRulesInChinese(t *testing.T) {
	for _, kind := range RuleKinds {
		r := Rule{Kind: kind, Pattern: "PATTERN", File: "a/FILE", Line: 7}
		if got := r.Message().InLanguage(message.Chinese); got == "" || got == r.String() || kind == IgnorePattern && got != "a/FILE 第 7 行的规则 PATTERN" {
			t.Errorf("%s: %s", kind, got)
		}
	}
}
