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

// Address says which database is meant, and how it is reached. It never shows a
// password.
type Address struct{ Config *pgxpool.Config }

// unsupported are settings of PostgreSQL's own programs that change where one connects to
// or how safe that is.
var unsupported = []string{"hostaddr", "requirepeer", "gssencmode", "sslcrl", "sslcrldir", "ssl_min_protocol_version", "ssl_max_protocol_version", "load_balance_hosts"}

// immaterial are those that change nothing of the kind.
var immaterial = []string{"keepalives", "keepalives_idle", "keepalives_interval", "keepalives_count", "tcp_user_timeout", "sslcompression", "gsslib", "fallback_application_name"}

// ProgramName is what connections are called in the database.
const ProgramName = "vademecum"

// ParseAddress reads a connection string as PostgreSQL's own programs take it: a URL or
// words like host=…, several hosts with target_session_attrs, TLS by sslmode. What it
// leaves out comes from the environment and the user's password file.
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
	if strings.Contains(Address{config}.hosts(), "@") { // a part of a URL was given as the host
		return Address{}, errUnwritable
	}
	for _, name := range unsupported {
		if _, there := config.ConnConfig.RuntimeParams[name]; there {
			return Address{}, addressError{message.New("%s is a setting that this program does not know", name), message.New("leave it out; host takes names and IP addresses")}
		}
	}
	for _, name := range immaterial {
		delete(config.ConnConfig.RuntimeParams, name) // the server would take it for one of its own
	}
	// A pooler in transaction mode gives each transaction another session: nothing
	// may be left in one, as statements with names would be.
	config.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
	// A server that is gone without a word is given up soon: another may be there.
	config.ConnConfig.ConnectTimeout = cmp.Or(config.ConnConfig.ConnectTimeout, connectLimit)
	config.PingTimeout = cmp.Or(config.PingTimeout, suspectAfter)
	config.ConnConfig.DialFunc = dialTimed
	config.AfterConnect = noteIfDirect
	if config.ConnConfig.RuntimeParams["application_name"] == "" {
		config.ConnConfig.RuntimeParams["application_name"] = ProgramName
	}
	return Address{config}, nil
}

// Connect makes a connection that is not of a pool.
func (a Address) Connect(ctx context.Context) (*pgx.Conn, error) {
	if a.Config == nil {
		return nil, ErrAddress
	}
	return pgx.ConnectConfig(ctx, a.Config.ConnConfig.Copy())
}

// String names the hosts and the database.
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
		if h := hostOf(f.Host, f.Port); h != hosts[len(hosts)-1] { // once with TLS, once without
			hosts = append(hosts, h)
		}
	}
	return strings.Join(hosts, ",")
}

func hostOf(name string, port uint16) string { return net.JoinHostPort(name, strconv.Itoa(int(port))) }
