package ranking

import "testing"

// TestFinalDraftWords: a Korean or Japanese word for a copy ends a word, and is none within another.
func TestFinalDraftWords(t *testing.T) {
	for name, want := range map[string]bool{"인사본부 규정": false, "계획 사본": true, "계획-사본 2": true, "복사본_계획": true, "최초안내": false, "計画 コピー": true, "コピー機": false, "副本计划": true} {
		if got := parseMarkedName(name).isDraft; got != want {
			t.Errorf("%s is a draft: %v", name, got)
		}
	}
}
