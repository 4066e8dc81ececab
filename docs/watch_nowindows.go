//go:build !windows

package docs

import "github.com/fsnotify/fsnotify"

const (
	inOrderOfTime = true  // whether changes in different directories are reported in the order in which they happened
	namesStay     = false // whether a moved directory that is watched again keeps being reported under its old name
)

// eventsOf returns the channel of the events. The sender may block until they are received.
func eventsOf(notify *fsnotify.Watcher, _ *watchErrors) <-chan fsnotify.Event { return notify.Events }
