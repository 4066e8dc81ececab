package db

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"vademecum/internal/base/message"
)

// Address states which database to use, and how to connect to it. It never shows a password.
type Address struct{ Config *pgxpool.Config }

// unsupported lists settings of PostgreSQL's own programs that affect which server is connected to,
// or how securely.
var unsupported = []string{"hostaddr", "requirepeer", "gssencmode", "sslcrl", "sslcrldir", "ssl_min_protocol_version", "ssl_max_protocol_version", "load_balance_hosts"}

// immaterial lists settings of PostgreSQL's own programs that do not affect which server is
// connected to, or how securely: they are ignored.
var immaterial = []string{"keepalives", "keepalives_idle", "keepalives_interval", "keepalives_count", "tcp_user_timeout", "sslcompression", "gsslib", "fallback_application_name"}

// ProgramName is the application name of connections in the database.
const ProgramName = "vademecum"

// ParseAddress parses a connection string in the forms that PostgreSQL's own programs accept: a URL
// or settings such as host=…, with several hosts and target_session_attrs, and TLS by sslmode.
// Settings that are not given come from the environment and the user's password file.
func ParseAddress(text string) (Address, error) {
	if text != "" && !isURL(text) && !listPattern.MatchString(text) {
		return Address{}, addressError{message.New("it does not begin with postgres://"), usualAddress}
	}
	if isURL(text) && hasStrayAt(text) {
		return Address{}, errUnwritable
	}
	config, err := pgxpool.ParseConfig(text)
	if err != nil {
		return Address{}, addressFault(text)
	}
	if strings.Contains(Address{config}.hosts(), "@") { // a part of a URL was parsed as the host
		return Address{}, errUnwritable
	}
	for _, name := range unsupported {
		if _, there := config.ConnConfig.RuntimeParams[name]; there {
			return Address{}, addressError{message.New("%s is not a setting that this program supports", name), message.New("leave it out; host takes names and IP addresses")}
		}
	}
	for _, name := range immaterial {
		// otherwise they would be sent to the server as its own settings
		delete(config.ConnConfig.RuntimeParams, name)
	}
	// A pooler in transaction mode gives each transaction another session, so nothing may be left
	// in a session, such as named prepared statements.
	config.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
	// Give up a server that disappeared silently soon, because another host may be available.
	config.ConnConfig.ConnectTimeout = cmp.Or(config.ConnConfig.ConnectTimeout, connectLimit)
	config.PingTimeout = cmp.Or(config.PingTimeout, suspectAfter)
	config.ConnConfig.DialFunc = dialTimed
	config.AfterConnect = noteIfDirect
	if config.ConnConfig.RuntimeParams["application_name"] == "" {
		config.ConnConfig.RuntimeParams["application_name"] = ProgramName
	}
	return Address{config}, nil
}

// Connect opens a connection outside of any pool.
func (a Address) Connect(ctx context.Context) (*pgx.Conn, error) {
	if a.Config == nil {
		return nil, errInvalidAddress
	}
	return pgx.ConnectConfig(ctx, a.Config.ConnConfig.Copy())
}

// String returns the hosts and the database.
func (a Address) String() string {
	if a.Config == nil {
		return "no database"
	}
	return fmt.Sprintf("postgres://%s/%s", a.hosts(), a.Config.ConnConfig.Database)
}

func (a Address) hosts() string {
	c := a.Config.ConnConfig
	hosts := []string{hostOf(c.Host, c.Port)}
	for _, f := range c.Fallbacks {
		if h := hostOf(f.Host, f.Port); h != hosts[len(hosts)-1] {
			// each host is listed twice: with TLS and without
			hosts = append(hosts, h)
		}
	}
	return strings.Join(hosts, ",")
}

func hostOf(name string, port uint16) string { return net.JoinHostPort(name, strconv.Itoa(int(port))) }
