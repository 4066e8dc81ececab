package e2e

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
)

// onStore runs a command with the address of a database, checks its output, and that it
// does not contain the password.
func onStore(t *testing.T, d database, address, want string, args ...string) (said string) {
	t.Helper()
	c := vademecum(t, args...)
	c.Env = append(c.Env, "VADEMECUM_STORE="+address)
	out, err := c.CombinedOutput()
	said = string(out)
	if strings.Contains(said, d.password) {
		t.Errorf("%s: it tells the password: %s", args, said)
	}
	if !strings.Contains(said, want) || strings.Count(said, "\n") > 25 {
		t.Errorf("%s, %v: it says %s, want %s", args, err, said, want)
	}
	return said
}

// TestDatabaseFaults: each fault of a database has its own message, without a password.
func TestDatabaseFaults(t *testing.T) {
	t.Parallel()
	d, dir := emptyDatabase(t), manyNotes(t, 1)
	search := []string{"search", dir, "sodium"}
	onStore(t, d, d.serving, "create them with vademecum store migrate", search...)
	onStore(t, d, d.serving, fmt.Sprintf("GRANT CREATE ON DATABASE %q TO %q", d.name, d.name), "store", "migrate")
	onStore(t, d, d.owner, `there is no such role: createuser, or CREATE ROLE "nobody" LOGIN, creates it`, "store", "migrate", "--grant", "nobody")
	onStore(t, d, d.owner, "match this version", "store", "migrate")
	onStore(t, d, d.serving, "this user lacks privileges", search...)
	onStore(t, d, d.serving, "the tables belong to the role "+d.ownerName(t), "store", "migrate")
	onStore(t, d, d.owner, d.name+" may serve from them", "store", "migrate", "--grant", d.name)
	onStore(t, d, d.serving, "the tables belong to the role "+d.ownerName(t), "store", "vacuum")
	onStore(t, d, d.serving, "in the documents", search...)

	onStore(t, d, strings.Replace(d.serving, d.password, d.password+"x", 1), "the password is wrong", search...)
	onStore(t, d, d.serving+"x", "there is no such database", search...)
	g, away := gateTo(t, d.serving)
	onStore(t, d, away, "the database cannot be reached", search...)
	g.shut()
	onStore(t, d, away, "connection refused at 127.0.0.1:", search...)
	onStore(t, d, strings.Replace(d.serving, "127.0.0.1", "no-such-host.invalid", 1), "there is no host called no-such-host.invalid", search...)
	onStore(t, d, d.serving+"?sslmode=requir", "hint: it must be one of disable, ", search...)
	onStore(t, d, d.serving+"?prt=5432", `a setting that the server does not know (unrecognized configuration parameter "prt")`, search...)
	onStore(t, d, "postgres://u:"+d.password+"@[::1", "the address of the database cannot be read", search...)

	inDatabase(t, d.owner, "UPDATE vademecum.program SET oldest = 99")
	onStore(t, d, d.serving, "from a newer version: use that version of this program", search...)
}

// TestStoreCommandsOnDatabase: what a library has is counted and compared, and what is
// wrong with it fails the command.
func TestStoreCommandsOnDatabase(t *testing.T) {
	t.Parallel()
	d, dir := newDatabase(t), manyNotes(t, 3)
	onStore(t, d, d.serving, "3 in total", "index", dir, "--library", "notes")
	onStore(t, d, d.serving, "notes: 3 documents, 3 passages", "store", "stats")
	onStore(t, d, d.serving, "notes: 3 documents, 3 passages, 0 vectors: ok", "store", "check")
	status := onStore(t, d, d.serving, "library notes in postgres://", "status", "--library", "notes")
	if !strings.Contains(status, "passages:   3 (vectors of the built-in embedding are not saved") || strings.Contains(status, "0.0 MB") || !strings.Contains(status, " KB)\n") {
		t.Errorf("status says %s", status)
	}
	for _, name := range []string{"notes ", "\u3000notes", "no\ttes"} {
		onStore(t, d, d.serving, "has spaces at its ends, or control characters in it", "index", dir, "--library", name)
		inDatabase(t, d.owner, "INSERT INTO vademecum.libraries (name, format) VALUES ("+"'"+name+"', 1)")
		onStore(t, d, d.owner, "Removed ", "store", "remove", name)
	}
	inDatabase(t, d.owner, "INSERT INTO vademecum.libraries (name, format) VALUES ('notes', 1), ('old', 1)")
	onStore(t, d, d.owner, "Removed notes in format 1, with 0 documents (0 B).\nKept old in format 1, with 0 documents (0 B): no program of this version has indexed the library yet.\nThe tables are vacuumed.", "store", "vacuum")
	onStore(t, d, d.owner, "Removed old, with 0 documents.", "store", "remove", "old")
	inDatabase(t, d.owner, "UPDATE vademecum.texts SET text = 'no'::bytea")
	onStore(t, d, d.serving, "1 fault found", "store", "check")

	onStore(t, d, d.serving, "there is no such library", "store", "remove", "other")
	onStore(t, d, d.serving, "Removed notes, with 3 documents.", "store", "remove", "notes")
	onStore(t, d, d.serving, "3 in total", "index", dir, "--library", "notes")
	inDatabase(t, d.owner, "UPDATE vademecum.texts SET text = 'no'::bytea")

	c := vademecum(t, "store", "check")
	c.Env = append(c.Env, d.env())
	if _, err := c.Output(); err == nil || err.(*exec.ExitError).ExitCode() != 1 {
		t.Errorf("the command ends with %v", err)
	}
}
