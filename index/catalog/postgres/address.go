package postgres

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Address says which database is meant, and how it is reached. It never shows a
// password.
type Address struct{ config *pgxpool.Config }

// ErrAddress says that a connection string is none. It does not say what is wrong:
// the reason may quote the password.
var ErrAddress = errors.New("the address of the database cannot be read: it is like postgres://user@host:5432/database")

// Parse reads a connection string as PostgreSQL's own programs take it: a URL or
// words like host=…, several hosts with target_session_attrs, TLS by sslmode. What it
// leaves out comes from the environment and the user's password file.
func Parse(text string) (Address, error) {
	config, err := pgxpool.ParseConfig(text)
	if err != nil {
		return Address{}, ErrAddress
	}
	// A pooler in transaction mode gives each transaction another session: nothing
	// may be left in one, as statements with names would be.
	config.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
	// A server that is gone without a word is given up soon: another may be there.
	config.ConnConfig.ConnectTimeout = cmp.Or(config.ConnConfig.ConnectTimeout, connectLimit)
	config.PingTimeout = cmp.Or(config.PingTimeout, suspectAfter)
	config.ConnConfig.DialFunc = dial
	config.AfterConnect = noteDirect
	if config.ConnConfig.RuntimeParams["application_name"] == "" {
		config.ConnConfig.RuntimeParams["application_name"] = "vademecum"
	}
	return Address{config}, nil
}

// String names the hosts and the database.
func (a Address) String() string {
	if a.config == nil {
		return "no database"
	}
	c := a.config.ConnConfig
	hosts := []string{hostOf(c.Host, c.Port)}
	for _, f := range c.Fallbacks {
		if h := hostOf(f.Host, f.Port); h != hosts[len(hosts)-1] { // once with TLS, once without
			hosts = append(hosts, h)
		}
	}
	return fmt.Sprintf("postgres://%s/%s", strings.Join(hosts, ","), c.Database)
}

func hostOf(name string, port uint16) string { return net.JoinHostPort(name, strconv.Itoa(int(port))) }
