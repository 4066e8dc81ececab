package office

import (
	"cmp"
	"strconv"
)

// SlideHeading returns the heading of a slide, which is its title or else its number. It says of a
// slide that a show leaves out that it is hidden: who opens the file sees it, like the notes.
func SlideHeading(title string, number int, isHidden bool) string {
	heading := cmp.Or(title, "Slide "+strconv.Itoa(number))
	if isHidden {
		heading += " (hidden slide)"
	}
	return heading
}
