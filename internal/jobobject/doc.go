// Package jobobject has processes that were started end with this program, on Windows. Other
// systems have no job objects: there is nothing of it there.
package jobobject
