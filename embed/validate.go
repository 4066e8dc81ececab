package embed

import (
	"math"

	"vademecum/internal/message"

	openai "github.com/sashabaranov/go-openai"
)

// arrangeVectors brings the vectors of an answer to n texts into the order of the
// texts, by their index fields, and to unit length. It fails unless there is
// exactly one vector for each text, all of one length, finite and not zero.
func arrangeVectors(data []openai.Embedding, n int) ([][]float32, error) {
	if len(data) != n {
		return nil, message.Errorf("%d vectors for %d texts", "%d 个向量对应 %d 段文字", len(data), n)
	}
	vectors := make([][]float32, n)
	for _, d := range data {
		switch {
		case d.Index < 0 || d.Index >= n:
			return nil, message.Errorf("a vector for text %d of %d", "有一个向量属于第 %d 段文字，而共有 %d 段", d.Index, n)
		case vectors[d.Index] != nil:
			return nil, message.Errorf("two vectors for text %d", "第 %d 段文字有两个向量", d.Index)
		case len(d.Embedding) == 0:
			return nil, message.Errorf("an empty vector for text %d", "第 %d 段文字的向量是空的", d.Index)
		case len(d.Embedding) != len(data[0].Embedding):
			return nil, message.Errorf("vectors of %d and of %d dimensions", "向量有 %d 维的，也有 %d 维的", len(data[0].Embedding), len(d.Embedding))
		}
		if err := normaliseVector(d.Embedding); err != nil {
			return nil, message.Errorf("vector for text %d: %v", "第 %d 段文字的向量：%v", d.Index, err)
		}
		vectors[d.Index] = d.Embedding
	}
	return vectors, nil
}

// normaliseVector scales v to unit length in place.
func normaliseVector(v []float32) error {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	// Squares of float32 cannot overflow a float64, nor vanish in it.
	switch {
	case math.IsNaN(sum) || math.IsInf(sum, 0):
		return message.Errorf("not a finite number in it", "其中有非有限的数字")
	case sum == 0:
		return message.Errorf("it is zero", "它是零向量")
	}
	norm := math.Sqrt(sum)
	for i, x := range v {
		v[i] = float32(float64(x) / norm)
	}
	return nil
}
