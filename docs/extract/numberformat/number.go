package numberformat

import (
	"math"
	"strconv"
	"strings"
)

// A decimal is the number 0.digits × 10^point. It has at most 15 digits, the precision of Excel, so
// that halves are rounded as displayed and not as stored.
type decimal struct {
	digits string // decimal digits without leading or trailing zeros
	point  int
}

// newDecimal returns v, which must not be negative, as a decimal.
func newDecimal(v float64) decimal {
	mantissa, power, _ := strings.Cut(strconv.FormatFloat(v, 'e', 14, 64), "e")
	n, _ := strconv.Atoi(power) // cannot fail: written by FormatFloat
	return decimal{strings.Replace(mantissa, ".", "", 1), n + 1}.trim()
}

// shift returns d multiplied by a power of ten.
func (d decimal) shift(power int) decimal {
	if d.digits != "" {
		d.point += power
	}
	return d
}

func (d decimal) trim() decimal {
	d.digits = strings.TrimRight(d.digits, "0")
	all := len(d.digits)
	d.digits = strings.TrimLeft(d.digits, "0")
	if d.point -= all - len(d.digits); d.digits == "" {
		d.point = 0
	}
	return d
}

// round returns d rounded to that number of decimal places.
func (d decimal) round(places int) decimal {
	keep := d.point + places
	switch {
	case keep < 0:
		return decimal{}
	case keep >= len(d.digits):
		return d
	case d.digits[keep] < '5':
		return decimal{d.digits[:keep], d.point}.trim()
	}
	up := []byte("0" + d.digits[:keep])
	for i := keep; ; i-- {
		if up[i] != '9' {
			up[i]++
			break
		}
		up[i] = '0'
	}
	return decimal{string(up), d.point + 1}.trim()
}

// split returns the digits before the decimal point, or "", and those after it.
func (d decimal) split() (whole, fraction string) {
	switch {
	case d.point <= 0:
		return "", strings.Repeat("0", -d.point) + d.digits
	case d.point >= len(d.digits):
		return d.digits + strings.Repeat("0", d.point-len(d.digits)), ""
	}
	return d.digits[:d.point], d.digits[d.point:]
}

func (d decimal) String() string {
	whole, fraction := d.split()
	if whole == "" {
		whole = "0"
	}
	if fraction == "" {
		return whole
	}
	return whole + "." + fraction
}

// FormatGeneral formats a number as Excel does without a format: with at most 11 characters,
// including the point. Integers keep up to 15 digits, as they may be product codes or phone
// numbers.
func FormatGeneral(v float64) string {
	sign := ""
	if v < 0 {
		sign, v = "-", -v
	}
	d := newDecimal(v)
	switch {
	case d.point > 15, d.point < -3 && len(d.digits)-d.point > 9:
		return sign + formatScientific(v)
	case d.point > 0:
		d = d.round(max(0, 10-d.point))
	default:
		d = d.round(9)
	}
	return sign + d.String()
}

func formatScientific(v float64) string {
	mantissa, power, _ := strings.Cut(strconv.FormatFloat(v, 'E', 5, 64), "E")
	return strings.TrimSuffix(strings.TrimRight(mantissa, "0"), ".") + "E" + power
}

// formatNumber formats a number that is not negative.
func (s *formatSection) formatNumber(v float64) string {
	switch {
	case s.hasToken(exponent):
		return s.formatExponential(newDecimal(v))
	case s.hasToken(slash) && s.hasToken(digit):
		return s.formatFraction(v)
	}
	whole, places := s.countPlaces(len(s.tokens))
	d := newDecimal(v).shift(s.scale)
	f := digitFiller{s: s, whole: whole}
	f.integer, f.fraction = d.round(places).split()
	for _, t := range s.tokens {
		if t.kind == general || t.kind == atSign {
			f.b.WriteString(FormatGeneral(v))
			continue
		}
		f.writeToken(t)
	}
	return f.b.String()
}

// countPlaces returns how many digits the first tokens show before and after the decimal point.
func (s *formatSection) countPlaces(tokens int) (whole, places int) {
	after := false
	for _, t := range s.tokens[:tokens] {
		switch {
		case t.kind == point:
			after = true
		case t.kind == digit && after:
			places++
		case t.kind == digit:
			whole++
		}
	}
	return whole, places
}

// A digitFiller fills the placeholders of a format with the digits of a number.
type digitFiller struct {
	s                      *formatSection
	b                      strings.Builder
	integer, fraction      string
	whole                  int  // number of integer placeholders that are not yet filled
	hasDigit, isAfterPoint bool // whether a digit, and whether the decimal point, was written
}

func (f *digitFiller) writeToken(t formatToken) {
	switch t.kind {
	case digit:
		if f.isAfterPoint {
			f.fillFractionPlace(t.text)
		} else {
			f.fillIntegerPlace(t.text)
		}
	case point:
		if !f.isAfterPoint && !f.hasDigit {
			f.writeDigits(f.integer) // write the integer digits for which there was no placeholder before the point
		}
		f.b.WriteByte('.')
		f.isAfterPoint = true
	case literal, percent, slash, number:
		f.b.WriteString(t.text)
	}
}

// fillIntegerPlace fills a placeholder before the decimal point. The first one takes all surplus
// digits.
func (f *digitFiller) fillIntegerPlace(kind string) {
	if f.whole == 0 { // a placeholder after a fraction, which Excel does not allow
		return
	}
	for len(f.integer) > f.whole {
		f.writeDigits(f.integer[:1])
		f.writeSeparator(len(f.integer) - 1)
		f.integer = f.integer[1:]
	}
	f.whole--
	switch {
	case len(f.integer) > f.whole:
		f.writeDigits(f.integer[:1])
		f.integer = f.integer[1:]
	case kind == "0":
		f.writeDigits("0")
	case kind == "?":
		f.b.WriteByte(' ')
	}
	f.writeSeparator(f.whole)
}

func (f *digitFiller) writeDigits(digits string) {
	f.b.WriteString(digits)
	f.hasDigit = f.hasDigit || digits != ""
}

// writeSeparator writes a thousands separator if one is due before the last left digits of the
// integer part.
func (f *digitFiller) writeSeparator(left int) {
	if f.s.hasThousands && f.hasDigit && left > 0 && left%3 == 0 {
		f.b.WriteByte(',')
	}
}

// fillFractionPlace fills a placeholder after the decimal point.
func (f *digitFiller) fillFractionPlace(kind string) {
	switch {
	case f.fraction != "":
		f.b.WriteByte(f.fraction[0])
		f.fraction = f.fraction[1:]
	case kind == "0":
		f.b.WriteByte('0')
	case kind == "?":
		f.b.WriteByte(' ')
	}
}

// formatExponential formats a number with an exponent that is a multiple of the number of integer
// placeholders.
func (s *formatSection) formatExponential(d decimal) string {
	at := 0
	for s.tokens[at].kind != exponent {
		at++
	}
	whole, places := s.countPlaces(at)
	d = d.shift(s.scale)
	step := max(whole, 1)
	power := 0
	if d.digits != "" {
		power = floorTo(d.point-1, step)
		if r := (decimal{d.digits, d.point - power}).round(places); r.point > step {
			power += step
		}
	}
	f := digitFiller{s: s, whole: whole}
	f.integer, f.fraction = decimal{d.digits, d.point - power}.round(places).split()
	for _, t := range s.tokens[:at] {
		f.writeToken(t)
	}
	f.b.WriteString("E")
	if power < 0 {
		f.b.WriteByte('-')
	} else if strings.HasSuffix(s.tokens[at].text, "+") {
		f.b.WriteByte('+')
	}
	rest := formatSection{tokens: s.tokens[at+1:]}
	e := digitFiller{s: &rest, integer: strconv.Itoa(max(power, -power))}
	if power == 0 {
		e.integer = ""
	}
	e.whole, _ = rest.countPlaces(len(rest.tokens))
	for _, t := range rest.tokens {
		e.writeToken(t)
	}
	return f.b.String() + e.b.String()
}

// floorTo rounds n down to a multiple of step.
func floorTo(n, step int) int { return int(math.Floor(float64(n)/float64(step))) * step }

// formatFraction formats a number as a fraction, after an integer if the format has one.
func (s *formatSection) formatFraction(v float64) string {
	p := s.findFractionParts()
	if v *= math.Pow10(s.scale); v > 1e15 || !p.hasWhole && v > 1e9 {
		return FormatGeneral(v)
	}
	whole, rest := 0.0, v
	if p.hasWhole {
		whole, rest = math.Modf(v)
	}
	top, bottom := p.nearestFraction(rest)
	if p.hasWhole && top == bottom {
		whole, top = whole+1, 0
	}
	return s.writeFraction(p, whole, top, bottom)
}

// fractionParts describes the tokens of a fraction in a format: their places, and what is known of
// the denominator.
type fractionParts struct {
	from, slash, to  int
	hasWhole         bool // whether placeholders before the fraction show the integer part
	fixedDenominator int  // 0 if the denominator is not fixed
	limit            int  // maximum denominator if it is not fixed
}

func (s *formatSection) findFractionParts() fractionParts {
	var p fractionParts
	for s.tokens[p.slash].kind != slash {
		p.slash++
	}
	for p.from = p.slash; p.from > 0 && s.tokens[p.from-1].kind == digit; p.from-- {
	}
	for _, t := range s.tokens[:p.from] {
		p.hasWhole = p.hasWhole || t.kind == digit
	}
	fixed, isFixed := "", false
	for p.to = p.slash + 1; p.to < len(s.tokens); p.to++ {
		t := s.tokens[p.to]
		if t.kind != digit && t.kind != number {
			break
		}
		isFixed = isFixed || t.kind == number
		fixed += strings.NewReplacer("#", "0", "?", "0").Replace(t.text)
	}
	const longest = 9 // maximum digits of a denominator
	if len(fixed) > longest {
		fixed = fixed[:longest]
	}
	if isFixed {
		p.fixedDenominator, _ = strconv.Atoi(fixed) // cannot fail: digits only
	}
	p.limit = int(math.Pow10(len(fixed))) - 1
	return p
}

// nearestFraction returns the numerator and denominator of the fraction nearest to v, by continued
// fractions. Its denominator is the fixed one or at most limit.
func (p fractionParts) nearestFraction(v float64) (top, bottom int) {
	if p.fixedDenominator > 0 {
		return int(math.Round(v * float64(p.fixedDenominator))), p.fixedDenominator
	}
	limit := max(p.limit, 1)
	top0, bottom0, top1, bottom1 := 0, 1, 1, 0
	for x := v; ; {
		a := math.Floor(x)
		if a > float64(limit) && bottom1 != 0 || a*float64(bottom1)+float64(bottom0) > float64(limit) {
			break
		}
		n := int(a)
		top0, bottom0, top1, bottom1 = top1, bottom1, n*top1+top0, n*bottom1+bottom0
		if x-a < 1e-9 {
			return top1, bottom1
		}
		x = 1 / (x - a)
	}
	n := (limit - bottom0) / bottom1
	top, bottom = n*top1+top0, n*bottom1+bottom0
	if math.Abs(v-float64(top1)/float64(bottom1)) <= math.Abs(v-float64(top)/float64(bottom)) {
		return top1, bottom1
	}
	return top, bottom
}

func (s *formatSection) writeFraction(p fractionParts, whole float64, top, bottom int) string {
	f := digitFiller{s: s, integer: strings.TrimPrefix(strconv.FormatFloat(whole, 'f', 0, 64), "0")}
	for _, t := range s.tokens[:p.from] {
		if t.kind == digit {
			f.whole++
		}
	}
	for _, t := range s.tokens[:p.from] {
		f.writeToken(t)
	}
	switch {
	case top > 0 || !p.hasWhole:
		f.b.WriteString(strconv.Itoa(top) + "/" + strconv.Itoa(bottom))
	case !f.hasDigit:
		f.b.WriteByte('0')
	}
	for _, t := range s.tokens[p.to:] {
		f.writeToken(t)
	}
	return f.b.String()
}
