package docs

import "github.com/fsnotify/fsnotify"

// Windows reports changes of each directory separately: an earlier change in one may be
// reported after a later change in another. And a directory that was moved to another is
// reported under its earlier name, even if it is watched under the new one, until
// watching it stops.
const (
	inOrderOfTime = false
	namesStay     = true
)

// mostWaiting is how many events are kept until they are taken.
const mostWaiting = 1 << 16

// eventsOf returns the events, many of which may wait. The source sends them by the same
// goroutine that has a directory watched: if it had to wait for the Watcher while this
// waits until it watches another directory, both would for ever.
func eventsOf(notify *fsnotify.Watcher, failed *watchErrors) <-chan fsnotify.Event {
	taken := make(chan fsnotify.Event)
	go func() {
		var waiting []fsnotify.Event
		for {
			var next fsnotify.Event
			var to chan<- fsnotify.Event
			if len(waiting) > 0 {
				next, to = waiting[0], taken
			}
			select {
			case event, open := <-notify.Events:
				if !open {
					return
				}
				if len(waiting) == mostWaiting {
					waiting = nil
					failed.note(fsnotify.ErrEventOverflow)
				}
				waiting = append(waiting, event)
			case to <- next:
				waiting = waiting[1:]
			}
		}
	}()
	return taken
}
