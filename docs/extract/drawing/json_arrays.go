package drawing

import (
	"encoding/json"
	"errors"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/charset"
)

// errBroken is the error for truncated or invalid JSON.
var errBroken = extract.Skip("damaged JSON")

// An arrayReader names an array in the JSON object of a drawing, and reads its elements.
type arrayReader struct {
	name        string
	readElement func(d *json.Decoder) error
}

// readArrays reads the given arrays of a JSON object element by element, to save memory. If there
// is an error, the elements before it have been read. encoding/json limits the nesting.
func readArrays(raw []byte, arrays ...arrayReader) error {
	text, err := charset.Read(raw)
	if err != nil {
		return err
	}
	d := json.NewDecoder(strings.NewReader(text.Text))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return errDamaged
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return errBroken
		}
		if err := readMember(d, key, arrays); err != nil {
			return err
		}
	}
	if _, err := d.Token(); err != nil {
		return errBroken
	}
	return nil
}

// readMember reads or skips the value of a key.
func readMember(d *json.Decoder, key json.Token, arrays []arrayReader) error {
	for _, a := range arrays {
		if key == a.name {
			return readArray(d, a.readElement)
		}
	}
	var other skippedValue
	return syntaxError(d.Decode(&other))
}

func readArray(d *json.Decoder, read func(d *json.Decoder) error) error {
	open, err := d.Token()
	if err != nil {
		return errBroken
	}
	if open != json.Delim('[') {
		if _, nested := open.(json.Delim); nested {
			return errDamaged
		}
		return nil
	}
	for d.More() {
		if err := syntaxError(read(d)); err != nil {
			return err
		}
	}
	_, err = d.Token()
	return syntaxError(err)
}

// syntaxError returns the error with which reading ends: errBroken for invalid syntax, or err
// itself if it is a SkipError. It returns nil if err is only about a value of an unexpected type,
// which is skipped.
func syntaxError(err error) error {
	var skip *extract.SkipError
	switch odd := new(json.UnmarshalTypeError); {
	case err == nil, errors.As(err, &odd):
		return nil
	case errors.As(err, &skip):
		return skip
	}
	return errBroken
}

// A skippedValue accepts any JSON value and discards it.
type skippedValue struct{}

// UnmarshalJSON discards the value.
func (skippedValue) UnmarshalJSON([]byte) error { return nil }
