package transformer

import "math"

// rotaryTable holds the cosines and sines of a rotary position embedding, for each position and
// each pair of numbers (Su et al., "RoFormer", 2021).
type rotaryTable struct{ cosines, sines []float32 }

func (e *Encoder) setRotaryTables() {
	e.rotaryTables = make(map[float64]rotaryTable)
	pairs := e.HiddenSize / e.heads / 2
	for _, r := range e.rotary {
		if _, ok := e.rotaryTables[r.theta]; ok {
			continue
		}
		x := rotaryTable{make([]float32, e.MaxTokens*pairs), make([]float32, e.MaxTokens*pairs)}
		for i := range pairs {
			frequency := math.Pow(r.theta, -float64(i)/float64(pairs))
			for place := range e.MaxTokens {
				sin, cos := math.Sincos(float64(place) * frequency)
				x.cosines[place*pairs+i], x.sines[place*pairs+i] = float32(cos), float32(sin)
			}
		}
		e.rotaryTables[r.theta] = x
	}
}

// applyRotary rotates the queries and keys of all texts by their positions.
func (r *encoderRun) applyRotary(x rotaryTable) {
	size := r.HiddenSize / r.heads
	pairs := size / 2
	at := 0
	for _, tokens := range r.texts {
		for place := range tokens {
			cosines, sines := x.cosines[place*pairs:][:pairs], x.sines[place*pairs:][:pairs]
			all := row(r.queryKeyValue, at, 3*r.HiddenSize)[:2*r.HiddenSize]
			for ; len(all) > 0; all = all[size:] {
				a, b := all[:pairs], all[pairs:size]
				for i, cos := range cosines {
					sin := sines[i]
					a[i], b[i] = a[i]*cos-b[i]*sin, b[i]*cos+a[i]*sin
				}
			}
			at++
		}
	}
}
