package db

import (
	"errors"
	"io/fs"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"

	"vademecum/internal/base/lazyregexp"
	"vademecum/internal/base/message"
)

// errInvalidAddress is matched by errors about an invalid connection string.
var errInvalidAddress error = addressError{message.New("no database is named"), usualAddress}

// usualAddress is the hint for a connection string that does not show what was meant.
var usualAddress = message.New("it must look like postgres://user@host:5432/database, with the password in PGPASSWORD or in the file ~/.pgpass")

// addressError says what is wrong with a connection string, without any part of it that may be a
// password.
type addressError struct{ says, hint message.Message }

func (e addressError) Error() string { return e.Message().String() }

// Message returns the text of the error.
func (e addressError) Message() message.Message {
	return message.New("the address of the database cannot be read: %v", e.says)
}

func (e addressError) Is(target error) bool {
	_, ok := target.(addressError)
	return ok
}

// Hint says how to correct the connection string.
func (e addressError) Hint() message.Message { return e.hint }

// errUnwritable means that an address cannot be parsed, or that a part of a password would probably
// be taken for the host or the database.
var errUnwritable = addressError{message.New("its host, port or password is not written as a URL requires"),
	message.New("a port must be a number; write / # % @ : in a password or another part as %2F %23 %25 %40 %3A, or give the password in PGPASSWORD")}

func isURL(text string) bool {
	return strings.HasPrefix(text, "postgres://") || strings.HasPrefix(text, "postgresql://")
}

// hasStrayAt reports whether a URL has an @ anywhere but before its first host. An unescaped / or @
// in a password would end it: what follows would be taken for the host or the database, which are
// shown.
func hasStrayAt(text string) bool {
	_, rest, _ := strings.Cut(text, "://")
	authority, path, _ := strings.Cut(rest, "/")
	return strings.Count(authority, "@") > 1 || strings.Contains(path, "@")
}

// listPattern matches the beginning of settings such as host=… user=….
var listPattern = lazyregexp.New(`^\s*\w+\s*=`)

// addressFault determines why a connection string cannot be parsed. The reason given by the pgx
// library is meant for programmers, and may quote the password.
func addressFault(text string) error {
	given, ok := parseKeywords(text), true
	if isURL(text) {
		given, ok = partsOf(text)
	}
	if !ok {
		return errUnwritable
	}
	for _, s := range settings {
		value, name := given[s.name], s.name
		if value == "" {
			value, name = os.Getenv(s.variable), s.variable
		}
		if hint := s.fault(value); value != "" && hint != "" {
			return addressError{message.New("%s %v", name, hint), s.hint}
		}
	}
	if given["sslcert"] == "" != (given["sslkey"] == "") {
		return addressError{message.New("sslcert and sslkey belong together, and one of them is missing"), message.New("give both, or neither")}
	}
	if isURL(text) {
		return addressError{message.New("one of its settings has an invalid value"), usualAddress}
	}
	return addressError{message.New("it is not a list such as host=… user=… dbname=…"), message.New("put a value with spaces or quotation marks in '…', or write postgres://user@host:5432/database")}
}

// partsOf returns the settings after the ? of a URL, and its ports as the setting "port". The second
// result is false if the URL cannot be parsed.
func partsOf(text string) (map[string]string, bool) {
	rest := text[strings.Index(text, "://")+3:]
	rest, query, _ := strings.Cut(rest, "?")
	authority, _, _ := strings.Cut(rest, "/")
	given, err := url.ParseQuery(query)
	at := strings.LastIndex(authority, "@")
	user, unwritable := url.PathUnescape(authority[:max(0, at)])
	if err != nil || unwritable != nil || strings.Count(authority[:max(0, at)], ":") > 1 || strings.ContainsAny(user, "\x00") || strings.Contains(authority, "#") {
		return nil, false
	}
	all := make(map[string]string)
	for name := range given {
		all[name] = given.Get(name)
	}
	for host := range strings.SplitSeq(authority[at+1:], ",") {
		if i := strings.LastIndex(host, ":"); i > strings.LastIndex(host, "]") && host[i+1:] != "" {
			if _, err := strconv.Atoi(host[i+1:]); err != nil {
				return nil, false // this may be a part of a password
			}
			all["port"] = strings.TrimPrefix(all["port"]+","+host[i+1:], ",")
		}
	}
	return all, true
}

var wordPattern = lazyregexp.New(`(\w+)\s*=\s*('(?:[^'\\]|\\.)*'|[^\s']*)`)

// parseKeywords returns the settings of a connection string such as "host=… user=…".
func parseKeywords(text string) map[string]string {
	all := make(map[string]string)
	for _, m := range wordPattern.FindAllStringSubmatch(text, -1) {
		all[m[1]] = strings.Trim(m[2], "'")
	}
	return all
}

// setting is a setting with a limited set of values.
type setting struct {
	name, variable string
	// returns what is wrong with a value; "" if nothing
	fault func(value string) message.Message
	hint  message.Message
}

// settings lists the settings that are checked.
var settings = []setting{
	oneOfSetting("sslmode", "PGSSLMODE", "disable", "allow", "prefer", "require", "verify-ca", "verify-full"),
	oneOfSetting("target_session_attrs", "PGTARGETSESSIONATTRS", "any", "read-write", "read-only", "primary", "standby", "prefer-standby"),
	fileSetting("sslrootcert", "PGSSLROOTCERT"),
	fileSetting("sslcert", "PGSSLCERT"),
	fileSetting("sslkey", "PGSSLKEY"),
	{"port", "PGPORT", func(value string) message.Message {
		for one := range strings.SplitSeq(value, ",") {
			if n, err := strconv.Atoi(one); one != "" && (err != nil || n < 1 || n > 65535) {
				return message.New("is not a number from 1 to 65535")
			}
		}
		return ""
	}, message.New("PostgreSQL normally uses 5432; give one port for all hosts, or one for each")},
	{"connect_timeout", "PGCONNECT_TIMEOUT", func(value string) message.Message {
		if _, err := strconv.Atoi(value); err != nil {
			return message.New("is not a number")
		}
		return ""
	}, message.New("it must be a number of seconds")},
	{"service", "PGSERVICE", func(string) message.Message {
		return message.New("names a service that is not in any readable file")
	}, message.New("services are defined in the file ~/.pg_service.conf, or in the one named by PGSERVICEFILE")},
}

// plainValue matches values that may be shown, because they do not look like a password.
var plainValue = lazyregexp.New(`^[a-z-]{1,16}$`)

func oneOfSetting(name, variable string, known ...string) setting {
	return setting{name, variable, func(value string) message.Message {
		switch {
		case slices.Contains(known, value):
			return ""
		case plainValue.MatchString(value):
			return message.New("has the invalid value %s", value)
		}
		return message.New("has an invalid value")
	}, message.New("it must be one of %s", strings.Join(known, ", "))}
}

func fileSetting(name, variable string) setting {
	return setting{name, variable, func(file string) message.Message {
		if name == "sslrootcert" && file == "system" {
			return ""
		}
		content, err := os.ReadFile(file)
		var why *fs.PathError
		switch {
		case errors.As(err, &why):
			return message.New("names a file that cannot be read: %q, %v", file, why.Err)
		case err != nil || !strings.Contains(string(content), "-----BEGIN "):
			return message.New("names a file without a certificate or key: %q", file)
		}
		return ""
	}, message.New("it must be the path of a PEM file on this machine")}
}
