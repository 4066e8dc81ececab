package docs

import "github.com/fsnotify/fsnotify"

// Windows reports changes for each directory separately: an earlier change in one directory may be
// reported after a later change in another. And a directory that was moved to another one is
// reported under its earlier name, even if it is watched under the new one, until watching the
// earlier one stops.
const (
	inOrderOfTime = false
	namesStay     = true
)

// mostWaiting is how many events are kept until they are received.
const mostWaiting = 1 << 16

// eventsOf returns the channel of the events, which are buffered. The goroutine that sends events
// is also the one that adds directories: if it blocked until the Watcher receives while the Watcher
// waits for a directory to be added, both would wait for ever.
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
