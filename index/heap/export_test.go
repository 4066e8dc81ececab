package heap

// HasGrown tells whether memory is to be given back.
func (h *Heap) HasGrown() bool { return h.grown.Load() }
