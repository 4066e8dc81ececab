package upkeep

import (
	"context"

	"vademecum/docs"
)

// watch has a folder scanned, first as a whole and then where it changes.
func (l *loop) watch(ctx context.Context, folder int) {
	f := l.k.folders[folder]
	w, err := f.Watch(f.Marks.Dir())
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
		f.Marks.Announce(w.TellsAll())
	}
	state()
	defer f.Marks.Announce(false)
	err = w.Run(ctx, docs.Reports{
		Changed: func(paths []string) {
			areas := make([]area, len(paths))
			for i, p := range paths {
				areas[i] = area{folder: folder, base: p}
			}
			l.add(areas...)
			state()
		},
		Marked: func(name string) {
			if !w.TellsAll() {
				return
			}
			until := l.noted()
			l.group.Go(func() {
				if l.waitFor(ctx, until) == nil {
					f.Marks.Take(name)
				}
			})
		},
	})
	if err != nil && ctx.Err() == nil {
		l.k.log.Warn("stopped watching the folder", "folder", f.Dir(), "error", err)
	}
}
