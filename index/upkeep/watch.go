package upkeep

import "context"

// watch has a folder scanned, first as a whole and then where it changes.
func (l *loop) watch(ctx context.Context, folder int) {
	f := l.k.folders[folder]
	w, err := f.Watch()
	l.add(area{folder: folder, base: "."})
	if err != nil {
		l.k.log.Warn("cannot watch the folder, it is scanned from time to time", "folder", f.Dir(), "every", sweepEvery, "error", err)
		return
	}
	defer w.Close()
	stated := ""
	state := func() {
		why := w.Incomplete()
		switch {
		case why == stated:
		case why != "":
			l.k.log.Warn("not all of the folder is watched, it is scanned from time to time", "folder", f.Dir(), "every", sweepEvery, "reason", why)
		default:
			l.k.log.Info("all of the folder is watched again", "folder", f.Dir())
		}
		stated = why
		l.k.progress.Unwatched(folder, why)
	}
	state()
	err = w.Run(ctx, func(paths []string) {
		areas := make([]area, len(paths))
		for i, p := range paths {
			areas[i] = area{folder: folder, base: p}
		}
		l.add(areas...)
		state()
	})
	if err != nil && ctx.Err() == nil {
		l.k.log.Warn("stopped watching the folder", "folder", f.Dir(), "error", err)
	}
}
