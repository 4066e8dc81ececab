package e2e

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"
)

// run runs the program on a database, with a replica of it unless that is "", and returns
// its output.
func (d database) run(t *testing.T, address, replica string, args ...string) string {
	t.Helper()
	c := vademecum(t, args...)
	c.Env = append(c.Env, "VADEMECUM_STORE="+address, "VADEMECUM_STORE_READ="+replica)
	out, err := c.CombinedOutput()
	if err != nil && !isExit(err) {
		t.Fatal(err)
	}
	if strings.Contains(string(out), d.password) || strings.Contains(string(out), "\uFFFD") {
		t.Errorf("%s: it tells the password, or what nobody can read: %s", args, out)
	}
	return string(out)
}

func isExit(err error) bool {
	_, ok := err.(*exec.ExitError)
	return ok
}

// TestDatabaseUnusable: status and doctor explain in one sentence why a database cannot
// be used and what to do; neither takes it for one without an index.
func TestDatabaseUnusable(t *testing.T) {
	t.Parallel()
	d, dir := newDatabase(t), manyNotes(t, 1)
	without := emptyDatabase(t)
	_, away := gateTo(t, d.serving)
	tables := func(version, oldest string) {
		inDatabase(t, d.owner, "UPDATE vademecum.schema_version SET version = "+version, "UPDATE vademecum.program SET oldest = "+oldest)
	}
	for name, wrong := range map[string]struct{ address, says string }{
		"away":           {away, "the database cannot be reached: connection refused at 127.0.0.1:"},
		"unknown host":   {strings.Replace(d.serving, "127.0.0.1", "database.invalid", 1), "the database cannot be reached: there is no host called database.invalid"},
		"wrong password": {strings.Replace(d.serving, d.password, d.password+"x", 1), `the password is wrong or missing: give it in PGPASSWORD or in the file ~/.pgpass (password authentication failed for user "` + d.name + `")`},
		// Before sign-in the server's message has a name that it truncates in the middle of a
		// character.
		"long name":   {strings.Replace(d.serving, "//"+d.name, "//a"+strings.Repeat("数", 30), 1), "the password is wrong or missing: give it in PGPASSWORD or in the file ~/.pgpass (SQLSTATE 28P01)"},
		"no database": {d.serving + "x", `there is no such database: create it first (database "` + d.name + `x" does not exist)`},
		"no tables":   {without.serving, "the database has no tables of this program yet: create them with vademecum store migrate"},
	} {
		d.checkUnusable(t, name, wrong.address, dir, wrong.says)
	}
	tables("2", "1")
	d.checkUnusable(t, "older tables", d.serving, dir, "the tables of the database are from an older version: upgrade them with vademecum store migrate")
	tables("99", "99")
	d.checkUnusable(t, "newer tables", d.serving, dir, "the tables of the database are from a newer version: use that version of this program")
}

func (d database) checkUnusable(t *testing.T, name, address, dir, says string) {
	t.Helper()
	said := d.run(t, address, "", "status", dir, "--library", "notes")
	if !strings.Contains(said, says) || strings.Count(said, "\n") != 1 {
		t.Errorf("%s: status says %s", name, said)
	}
	said = d.run(t, address, "", "doctor", dir, "--library", "notes")
	if strings.Count(said, says) != 1 || !strings.Contains(said, "1 fault found") {
		t.Errorf("%s: doctor says %s", name, said)
	}
}

// TestDatabaseReplicaTold: status and doctor report the state of a replica.
func TestDatabaseReplicaTold(t *testing.T) {
	t.Parallel()
	d, dir := newDatabase(t), manyNotes(t, 2)
	onStore(t, d, d.serving, "2 in total", "index", dir, "--library", "notes")
	other := newDatabase(t)
	_, away := gateTo(t, d.serving)
	for name, replica := range map[string]struct{ address, says, level string }{
		"all there":        {d.serving, "it is up to date with the database\n", "ok "},
		"away":             {away, "it cannot be queried, so the database answers all questions: connection refused at 127.0.0.1", "warning "},
		"another database": {other.serving, "it is another database, not a replica of the one in --store\n", "warning "},
	} {
		for _, command := range []string{"status", "doctor"} {
			said := d.run(t, d.serving, replica.address, command, "--library", "notes")
			if strings.Count(said, replica.says) != 1 || !strings.Contains(said, "replica:") {
				t.Errorf("%s: %s says %s", name, command, said)
			}
			if command == "doctor" && !strings.Contains(said, replica.level+strings.Repeat(" ", 9-len(replica.level))+"replica:") {
				t.Errorf("%s: doctor does not take it for %s: %s", name, replica.level, said)
			}
		}
		var status struct {
			Database struct{ Replica struct{ Fault string } }
		}
		if err := json.Unmarshal([]byte(d.run(t, d.serving, replica.address, "status", "--json", "--library", "notes")), &status); err != nil || (status.Database.Replica.Fault != "") != (replica.level != "ok ") {
			t.Errorf("%s: %+v, %v", name, status, err)
		}
	}
	if said := d.run(t, d.serving, other.serving, "search", dir, "warfarin", "--library", "notes"); !strings.Contains(said, "1. 0/0.md") {
		t.Errorf("with another database in the place of a replica a question finds %s", said)
	}
}
