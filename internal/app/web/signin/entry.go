package signin

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"vademecum/internal/base/message"
)

// TokenPrefix is the prefix of all tokens, by which secret scanners recognise them.
const TokenPrefix = "vdm_"

// TokenEntry is a line of a token file: a user, the hash of the user's token, and the rights.
type TokenEntry struct {
	Name    string
	Hash    [sha256.Size]byte
	Scopes  []string
	Groups  []string
	Created time.Time // day of creation; zero if the line has none
}

// NewTokenEntry creates a token for a user. It returns the token, which is shown only once, and the
// entry to store.
func NewTokenEntry(name string, scopes, groups []string) (token string, e TokenEntry, err error) {
	var secret [32]byte
	_, _ = rand.Read(secret[:]) // never returns an error
	token = TokenPrefix + base64.RawURLEncoding.EncodeToString(secret[:])
	e = TokenEntry{Name: name, Hash: sha256.Sum256([]byte(token)), Scopes: scopes, Groups: groups, Created: time.Now()}
	return token, e, e.check()
}

// ID returns the beginning of the token's hash in hexadecimal, by which people refer to the token.
func (e TokenEntry) ID() string { return hex.EncodeToString(e.Hash[:4]) }

// CreationDay returns the day on which the token was created; "" if unknown.
func (e TokenEntry) CreationDay() string {
	if e.Created.IsZero() {
		return ""
	}
	return e.Created.Format(time.DateOnly)
}

// IsValidName reports whether a user or group may have a name. Spaces, commas and colons are
// separators and so are not allowed.
func IsValidName(name string) bool {
	return name != "" && utf8.RuneCountInString(name) <= longestName && strings.IndexFunc(name, isForbiddenInNames) < 0
}

// longestName is the maximum length of a name in characters.
const longestName = 64

func isForbiddenInNames(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !strings.ContainsRune("._@+-", r)
}

func (e TokenEntry) check() error {
	if !IsValidName(e.Name) {
		return message.Errorf("%q is not a valid name: use letters, digits and .-_@+", e.Name)
	}
	for _, g := range e.Groups {
		if !IsValidName(g) {
			return message.Errorf("%q is not a valid group name: use letters, digits and .-_@+", g)
		}
	}
	for _, s := range e.Scopes {
		if !slices.Contains(allScopes, s) {
			return message.Errorf("unknown scope %q: there are %s", s, strings.Join(allScopes, ", "))
		}
	}
	if len(e.Scopes) == 0 {
		return message.Errorf("no scope")
	}
	return nil
}

// madeOn begins the last word of a line, the day of creation. Names of groups cannot contain its
// equals sign.
const madeOn = "made="

// String returns the line of the entry in a token file.
func (e TokenEntry) String() string {
	line := fmt.Sprintf("%s sha256:%x %s", e.Name, e.Hash, strings.Join(e.Scopes, ","))
	if len(e.Groups) > 0 {
		line += " " + strings.Join(e.Groups, ",")
	}
	if !e.Created.IsZero() {
		line += " " + madeOn + e.CreationDay()
	}
	return line
}

// parseEntry parses a line of a token file.
func parseEntry(line string) (e TokenEntry, err error) {
	fields := strings.Fields(line)
	if day, dated := strings.CutPrefix(lastWord(fields), madeOn); dated {
		if e.Created, err = time.Parse(time.DateOnly, day); err != nil {
			return e, message.Errorf("what follows made= is not a date such as 2026-11-23")
		}
		fields = fields[:len(fields)-1]
	}
	if len(fields) < 3 || len(fields) > 4 {
		return e, message.Errorf("a line has a name, the hash of a token, scopes, and may have groups and a day")
	}
	sum, ok := strings.CutPrefix(fields[1], "sha256:")
	hash, err := hex.DecodeString(sum)
	if !ok || err != nil || len(hash) != len(e.Hash) {
		// do not print it: it may be a token
		return e, message.Errorf("the second word is not sha256:HASH")
	}
	e.Name, e.Hash, e.Scopes = fields[0], [sha256.Size]byte(hash), strings.Split(fields[2], ",")
	if len(fields) == 4 {
		e.Groups = strings.Split(fields[3], ",")
	}
	return e, e.check()
}

func lastWord(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}

// listLine is a line of a token file that is neither empty nor a comment.
type listLine struct {
	number int // from 1
	at     int // offset in the file in bytes
	text   string
	entry  TokenEntry
	wrong  error // why the line is not a valid entry; nil if it is
}

// parseLines parses the text of a token file.
func parseLines(list string) (all []listLine) {
	at, number := 0, 0
	for text := range strings.Lines(list) {
		number++
		l := listLine{number: number, at: at, text: strings.TrimRight(text, "\r\n")}
		at += len(text)
		if number == 1 && strings.HasPrefix(l.text, byteOrderMark) {
			l.at, l.text = len(byteOrderMark), l.text[len(byteOrderMark):]
		}
		if words := strings.TrimSpace(l.text); words == "" || strings.HasPrefix(words, "#") {
			continue
		}
		l.entry, l.wrong = parseEntry(l.text)
		all = append(all, l)
	}
	return all
}

// byteOrderMark is the character that editors on Windows put at the beginning of a file.
const byteOrderMark = "\ufeff"

// parseWholeFile parses a token file. It returns an error if the file is not UTF-8, or if it has
// lines but none of them is a valid entry: it is then damaged, or not a token file.
func parseWholeFile(text []byte) (all []listLine, err error) {
	if !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0 {
		return nil, message.Errorf("it is not UTF-8 text")
	}
	all = parseLines(string(text))
	if len(all) > 0 && !slices.ContainsFunc(all, func(l listLine) bool { return l.wrong == nil }) {
		return nil, message.Errorf("none of its lines is a token; line %d: %v", all[0].number, all[0].wrong)
	}
	return all, nil
}
