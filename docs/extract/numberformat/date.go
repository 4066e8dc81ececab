package numberformat

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// A cellTime is the date and time of a cell.
type cellTime struct {
	year, month, day int
	weekday          int // day of the week, from 0 for Sunday
	hour, minute     int
	second           int
	fraction         int     // fraction of the second in milliseconds
	seconds          float64 // time since the first day in seconds
}

const lastDay = 2958465 // serial date of 9999-12-31

// cellTimeFromDays converts a serial date, in days, to a date and time. Seconds are rounded to the
// given number of decimal digits (ECMA-376 part 1, 18.17.4). As in Excel, 1900 has a 29 February.
// ok is false if there is no such date.
func cellTimeFromDays(v float64, digits int, date1904 bool) (t cellTime, ok bool) {
	if v < 0 {
		return t, false
	}
	unit := math.Pow10(digits)
	t.seconds = math.Floor(v*86400*unit+0.5+1e-6) / unit
	day := math.Floor(t.seconds / 86400)
	within := t.seconds - day*86400
	if date1904 {
		day += 1462
	}
	if day > lastDay {
		return t, false
	}
	ms := int(math.Round(within * 1000))
	t.hour, t.minute, t.second, t.fraction = ms/3600_000, ms/60_000%60, ms/1000%60, ms%1000
	t.setDate(int(day))
	return t, true
}

func (t *cellTime) setDate(day int) {
	t.weekday = (day + 6) % 7
	switch {
	case day == 0:
		t.year, t.month, t.day = 1900, 1, 0
		return
	case day == 60:
		t.year, t.month, t.day = 1900, 2, 29
		return
	case day < 60:
		day++
	}
	year, month, date := time.Date(1899, 12, 30+day, 0, 0, 0, 0, time.UTC).Date()
	t.year, t.month, t.day = year, int(month), date
}

// formatDate formats a number as a date or time, or as a plain number if it is no valid date, for
// which Excel would only show hash marks.
func (s *formatSection) formatDate(v float64, date1904 bool) string {
	t, ok := cellTimeFromDays(v, s.secondDigits(), date1904)
	if !ok {
		return strconv.FormatFloat(v, 'G', 15, 64)
	}
	w := dateWriter{s: s, t: t, is12Hour: s.hasToken(amPM)}
	for i, token := range s.tokens {
		w.writeToken(i, token)
	}
	return w.b.String()
}

// secondDigits returns how many decimal digits of the seconds are shown.
func (s *formatSection) secondDigits() int {
	n := 0
	for i, t := range s.tokens {
		if t.kind == digit && t.text == "0" && i > 0 && (s.tokens[i-1].kind == point || n > 0) {
			n++
		}
	}
	return min(n, 3)
}

type dateWriter struct {
	s        *formatSection
	b        strings.Builder
	t        cellTime
	is12Hour bool // whether hours are on the 12-hour clock
	digits   int  // digits of the fraction of a second written so far
}

func (w *dateWriter) writeToken(i int, t formatToken) {
	switch t.kind {
	case datePart:
		w.writePart(i, t.text)
	case elapsed:
		unit := map[byte]float64{'h': 3600, 'm': 60, 's': 1}[t.text[0]]
		w.writePadded(int(w.t.seconds/unit), len(t.text))
	case amPM:
		am, pm, _ := strings.Cut(t.text, "/")
		if strings.EqualFold(t.text, "am/pm") {
			am, pm = w.languageNames().amPM[0], w.languageNames().amPM[1]
		}
		if w.t.hour >= 12 {
			am = pm
		}
		w.b.WriteString(am)
	case digit:
		if w.digits < 3 {
			w.b.WriteByte('0' + byte(w.t.fraction/[...]int{100, 10, 1}[w.digits]%10))
			w.digits++
		}
	case literal, point, comma, slash, number:
		w.b.WriteString(t.text)
	}
}

func (w *dateWriter) writePart(i int, text string) {
	n := len(text)
	switch text[0] {
	case 'y':
		w.writeYear(w.t.year, n)
	case 'b':
		w.writeYear(w.t.year+543, n) // year of the Buddhist era
	case 'e':
		w.writeYear(w.t.year, 4)
	case 'm':
		if n <= 2 && w.s.isMinute(i) {
			w.writePadded(w.t.minute, n)
		} else {
			w.writeMonth(n)
		}
	case 'd':
		if n <= 2 {
			w.writePadded(w.t.day, n)
		} else {
			w.b.WriteString(w.languageNames().weekday(w.t.weekday, n > 3))
		}
	case 'a':
		w.b.WriteString(w.eastAsianNames().weekday(w.t.weekday, n > 3))
	case 'h':
		hour := w.t.hour
		if w.is12Hour {
			hour = (hour+11)%12 + 1
		}
		w.writePadded(hour, n)
	case 's':
		w.writePadded(w.t.second, n)
	}
}

func (w *dateWriter) writeYear(year, n int) {
	if n <= 2 {
		w.writePadded(year%100, 2)
		return
	}
	w.writePadded(year, 4)
}

func (w *dateWriter) writeMonth(n int) {
	if n <= 2 {
		w.writePadded(w.t.month, n)
		return
	}
	name := w.languageNames().month(w.t.month)
	switch {
	case n == 3 && name[0] < 0x80 && name[0] > '9':
		name = name[:3]
	case n == 5 && name[0] < 0x80 && name[0] > '9':
		name = name[:1]
	}
	w.b.WriteString(name)
}

func (w *dateWriter) writePadded(n, digits int) {
	s := strconv.Itoa(n)
	w.b.WriteString(strings.Repeat("0", max(0, digits-len(s))) + s)
}

// isMinute reports whether the m at index i of the tokens means minutes rather than months: it
// follows hours or precedes seconds.
func (s *formatSection) isMinute(i int) bool {
	for j := i - 1; j >= 0; j-- {
		if t := s.tokens[j]; t.kind == datePart || t.kind == elapsed {
			if t.text[0] == 'h' {
				return true
			}
			break
		}
	}
	for _, t := range s.tokens[i+1:] {
		if t.kind == datePart || t.kind == elapsed {
			return t.text[0] == 's'
		}
	}
	return false
}

// dateNames are the names used in dates, in one language.
type dateNames struct {
	amPM     [2]string
	months   string // names of the months, separated by spaces; "" if months are written as a number and 月
	weekdays string
	short    string // prefix of an abbreviated weekday
	long     string // prefix of a full weekday
	after    string // suffix of a full weekday
}

var (
	englishNames = dateNames{
		amPM:     [2]string{"AM", "PM"},
		months:   "January February March April May June July August September October November December",
		weekdays: "Sunday Monday Tuesday Wednesday Thursday Friday Saturday",
	}
	chineseNames = dateNames{
		amPM: [2]string{"上午", "下午"}, months: "一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 十一月 十二月",
		weekdays: "日 一 二 三 四 五 六", short: "周", long: "星期",
	}
	japaneseNames = dateNames{
		amPM: [2]string{"午前", "午後"}, weekdays: "日 月 火 水 木 金 土", after: "曜日",
	}
)

// The low ten bits of a language identifier ([MS-LCID]) denote the language.
const (
	languageBits = 0x3FF
	chineseID    = 0x04
	japaneseID   = 0x11
)

// languageNames returns the names for the language of the section: English, unless it is Chinese or
// Japanese.
func (w *dateWriter) languageNames() *dateNames {
	switch w.s.language & languageBits {
	case chineseID:
		return &chineseNames
	case japaneseID:
		return &japaneseNames
	}
	return &englishNames
}

// eastAsianNames returns the names for weekday formats that only East Asian versions have.
func (w *dateWriter) eastAsianNames() *dateNames {
	if n := w.languageNames(); n != &englishNames {
		return n
	}
	return &chineseNames
}

func (n *dateNames) month(month int) string {
	if n.months == "" {
		return strconv.Itoa(month) + "月"
	}
	return strings.Fields(n.months)[month-1]
}

func (n *dateNames) weekday(day int, long bool) string {
	name := strings.Fields(n.weekdays)[day]
	switch {
	case n.long == "" && n.after == "" && !long:
		return name[:3]
	case long:
		return n.long + name + n.after
	}
	return n.short + name
}
