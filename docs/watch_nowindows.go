//go:build !windows

package docs

import "github.com/fsnotify/fsnotify"

const (
	inOrderOfTime = true  // changes in different directories are reported in the order in which they happened
	namesStay     = false // a moved directory that is watched again is reported under its old name
)

// eventsOf returns the events, for which their source may have to wait.
func eventsOf(notify *fsnotify.Watcher, _ *watchErrors) <-chan fsnotify.Event { return notify.Events }
