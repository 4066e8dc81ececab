package latex

import (
	"strings"

	"vademecum/docs/extract/markdown"
	"vademecum/internal/base/lazyregexp"
)

// Macros of package siunitx (https://ctan.org/pkg/siunitx, manual, sections 3 and 4) for numbers and
// quantities, by the number of their arguments that are numbers.
var (
	numberMacros   = map[string]int{"num": 1, "numlist": 1, "numproduct": 1, "ang": 1, "numrange": 2}
	quantityMacros = map[string]int{"SI": 1, "qty": 1, "SIlist": 1, "qtylist": 1, "qtyproduct": 1, "SIrange": 2, "qtyrange": 2, "si": 0, "unit": 0}
)

// writeNumbers writes one of numberMacros.
func (r *reader) writeNumbers(name string) {
	r.readOption()
	text := r.readNumbers(numberMacros[name])
	if name == "ang" {
		text = angle(text)
	}
	r.out.writeText(text)
}

// writeQuantity writes one of quantityMacros: numbers, and their unit.
func (r *reader) writeQuantity(name string) {
	option, _ := r.readOption()
	text := r.readNumbers(quantityMacros[name])
	if name == "unit" && strings.ContainsAny(option, "0123456789") && !strings.Contains(option, "=") { // package units
		text = r.numberText(option)
	}
	if before, ok := r.readOption(); ok { // a unit before the number, as in \SI{5}[\$]{}
		text = r.convertInline(before) + text
	}
	unit, _ := r.readArgument()
	if unit = r.unitText(unit); unit != "" && text != "" && !strings.HasPrefix(unit, "°") || unit == "°C" {
		unit = " " + unit
	}
	r.out.writeText(strings.TrimPrefix(text+unit, " "))
}

// readNumbers reads a number, a list of numbers, or a range from one number to another.
func (r *reader) readNumbers(arguments int) string {
	var all []string
	for range arguments {
		if number, ok := r.readArgument(); ok {
			all = append(all, r.numberText(number))
		}
	}
	return strings.Join(all, "–")
}

var (
	exponent    = lazyregexp.New(`([0-9])[eE]([-+]?[0-9]+)`)
	numberSigns = strings.NewReplacer("+-", " ± ", `\pm`, " ± ", " x ", " × ", ";", "; ", "~", "")
)

// numberText returns a number as people write it: "2.5 × 10⁻³" for 2.5e-3.
func (r *reader) numberText(source string) string {
	text := exponent.ReplaceAllStringFunc(source, func(found string) string {
		m := exponent.FindStringSubmatch(found)
		return m[1] + " × 10" + markdown.Superscript(strings.TrimPrefix(m[2], "+"))
	})
	text = numberSigns.Replace(text)
	if strings.Contains(text, `\`) { // a number that the source defines
		text = r.convertInline(text)
	}
	return markdown.OneLine(text)
}

// angle returns an angle in degrees, or in degrees; minutes; seconds.
func angle(source string) (text string) {
	signs := []string{"°", "′", "″"}
	for i, part := range strings.Split(source, ";") {
		if part = strings.TrimSpace(part); part != "" && i < len(signs) {
			text += part + signs[i]
		}
	}
	return text
}

// unitSymbols are the symbols of the units and prefixes that have names in siunitx. Names that are
// missing are symbols themselves, such as \mg.
var unitSymbols = map[string]string{
	"yocto": "y", "zepto": "z", "atto": "a", "femto": "f", "pico": "p", "nano": "n", "micro": "µ", "milli": "m", "centi": "c", "deci": "d",
	"deca": "da", "deka": "da", "hecto": "h", "kilo": "k", "mega": "M", "giga": "G", "tera": "T", "peta": "P", "exa": "E",
	"kibi": "Ki", "mebi": "Mi", "gibi": "Gi", "tebi": "Ti",
	"ampere": "A", "candela": "cd", "kelvin": "K", "kilogram": "kg", "gram": "g", "metre": "m", "meter": "m", "mole": "mol", "second": "s",
	"becquerel": "Bq", "celsius": "°C", "degreeCelsius": "°C", "coulomb": "C", "farad": "F", "gray": "Gy", "hertz": "Hz", "henry": "H",
	"joule": "J", "lumen": "lm", "katal": "kat", "lux": "lx", "newton": "N", "ohm": "Ω", "pascal": "Pa", "radian": "rad", "siemens": "S",
	"sievert": "Sv", "steradian": "sr", "tesla": "T", "volt": "V", "watt": "W", "weber": "Wb",
	"astronomicalunit": "au", "bel": "B", "dalton": "Da", "day": "d", "decibel": "dB", "degree": "°", "arcminute": "′", "arcsecond": "″",
	"electronvolt": "eV", "hectare": "ha", "hour": "h", "litre": "L", "liter": "L", "minute": "min", "neper": "Np", "tonne": "t",
	"percent": "%", "angstrom": "Å", "bit": "bit", "byte": "B", "uL": "µL", "ul": "µl", "ug": "µg", "um": "µm", "us": "µs", "umol": "µmol", "uV": "µV",
	"uA": "µA", "uW": "µW", "kohm": "kΩ", "per": "/", "squared": "²", "cubed": "³",
}

// unitPrefixes are those of unitSymbols that stand before a unit without a space.
var unitPrefixes = wordSet("yocto zepto atto femto pico nano micro milli centi deci deca deka hecto kilo mega giga tera peta exa kibi mebi gibi tebi per")

var unitToken = lazyregexp.New(`\\([A-Za-z]+)|\^\{?([-+]?[0-9]+)\}?|[.~]|[^\\^.~{}\s]+`)

// unitText returns the symbols of a unit: "mg/L" for \milli\gram\per\litre, "m s⁻¹" for m.s^{-1}.
func (r *reader) unitText(source string) string {
	var b strings.Builder
	power, isAttached, exponentOf := "", true, ""
	for _, m := range unitToken.FindAllStringSubmatch(source, maxArgument) {
		name, raised := m[1], m[2]
		switch {
		case name == "square" || name == "cubic":
			power = unitSymbols[map[string]string{"square": "squared", "cubic": "cubed"}[name]]
			continue
		case name == "tothe" || name == "raiseto": // the exponent follows
			exponentOf = name
			continue
		case exponentOf == "tothe":
			b.WriteString(markdown.Superscript(m[0]))
			exponentOf = ""
			continue
		case exponentOf == "raiseto":
			power, exponentOf = markdown.Superscript(m[0]), ""
			continue
		case raised != "":
			b.WriteString(markdown.Superscript(raised))
			continue
		case m[0] == "." || m[0] == "~":
			continue
		case name == "squared" || name == "cubed" || name == "per" || strings.HasPrefix(m[0], "/"):
			isAttached = true
		}
		if !isAttached {
			b.WriteByte(' ')
		}
		symbol := m[0]
		if name != "" {
			symbol = name
			if known := unitSymbols[name]; known != "" {
				symbol = known
			}
		}
		b.WriteString(symbol)
		if isAttached = unitPrefixes[name] || strings.HasSuffix(symbol, "/"); !isAttached {
			b.WriteString(power)
			power = ""
		}
	}
	return b.String()
}
