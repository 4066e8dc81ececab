package sync

// HasGrown reports whether memory is to be given back.
func (h *Releaser) HasGrown() bool { return h.grown.Load() }
