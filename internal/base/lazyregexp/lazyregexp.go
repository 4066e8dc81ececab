// Package lazyregexp compiles regular expressions when they are first used: the program has some
// 250 of them, and most processes, such as a child that reads one format, use a few.
package lazyregexp

import (
	"regexp"
	"sync"
	"testing"
)

// A Regexp is a regular expression that is compiled when it is first used. Its methods are those of
// the same name of [regexp.Regexp].
type Regexp struct {
	expression string
	once       sync.Once
	compiled   *regexp.Regexp
}

// New returns the Regexp of an expression. In tests it panics if the expression is invalid, and
// otherwise its first use does.
func New(expression string) *Regexp {
	r := &Regexp{expression: expression}
	if testing.Testing() {
		r.regexp()
	}
	return r
}

func (r *Regexp) regexp() *regexp.Regexp {
	r.once.Do(func() { r.compiled = regexp.MustCompile(r.expression) })
	return r.compiled
}

// FindAllStringIndex calls [regexp.Regexp.FindAllStringIndex].
func (r *Regexp) FindAllStringIndex(s string, n int) [][]int {
	return r.regexp().FindAllStringIndex(s, n)
}

// FindAllStringSubmatch calls [regexp.Regexp.FindAllStringSubmatch].
func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return r.regexp().FindAllStringSubmatch(s, n)
}

// FindStringSubmatch calls [regexp.Regexp.FindStringSubmatch].
func (r *Regexp) FindStringSubmatch(s string) []string {
	return r.regexp().FindStringSubmatch(s)
}

// MatchString calls [regexp.Regexp.MatchString].
func (r *Regexp) MatchString(s string) bool {
	return r.regexp().MatchString(s)
}

// ReplaceAllString calls [regexp.Regexp.ReplaceAllString].
func (r *Regexp) ReplaceAllString(s, replacement string) string {
	return r.regexp().ReplaceAllString(s, replacement)
}

// ReplaceAllStringFunc calls [regexp.Regexp.ReplaceAllStringFunc].
func (r *Regexp) ReplaceAllStringFunc(s string, replacement func(string) string) string {
	return r.regexp().ReplaceAllStringFunc(s, replacement)
}

// FindStringSubmatchIndex calls [regexp.Regexp.FindStringSubmatchIndex].
func (r *Regexp) FindStringSubmatchIndex(s string) []int {
	return r.regexp().FindStringSubmatchIndex(s)
}

// FindAllString calls [regexp.Regexp.FindAllString].
func (r *Regexp) FindAllString(s string, n int) []string {
	return r.regexp().FindAllString(s, n)
}

// FindAllStringSubmatchIndex calls [regexp.Regexp.FindAllStringSubmatchIndex].
func (r *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return r.regexp().FindAllStringSubmatchIndex(s, n)
}

// FindAllIndex calls [regexp.Regexp.FindAllIndex].
func (r *Regexp) FindAllIndex(b []byte, n int) [][]int {
	return r.regexp().FindAllIndex(b, n)
}

// FindString calls [regexp.Regexp.FindString].
func (r *Regexp) FindString(s string) string {
	return r.regexp().FindString(s)
}

// Match calls [regexp.Regexp.Match].
func (r *Regexp) Match(b []byte) bool {
	return r.regexp().Match(b)
}

// Find calls [regexp.Regexp.Find].
func (r *Regexp) Find(b []byte) []byte {
	return r.regexp().Find(b)
}

// FindSubmatch calls [regexp.Regexp.FindSubmatch].
func (r *Regexp) FindSubmatch(b []byte) [][]byte {
	return r.regexp().FindSubmatch(b)
}

// ReplaceAll calls [regexp.Regexp.ReplaceAll].
func (r *Regexp) ReplaceAll(b, replacement []byte) []byte {
	return r.regexp().ReplaceAll(b, replacement)
}

// Split calls [regexp.Regexp.Split].
func (r *Regexp) Split(s string, n int) []string {
	return r.regexp().Split(s, n)
}

// FindStringIndex calls [regexp.Regexp.FindStringIndex].
func (r *Regexp) FindStringIndex(s string) []int {
	return r.regexp().FindStringIndex(s)
}
