#!/usr/bin/env bash
# golang-ical escapes the comma in the name of an organiser, where RFC 5545 has quotes, and readers differ on who
# that is.
#
# Expected: CN="Roe, Ann": a parameter has no escapes, and a comma outside of quotes begins another value.
# Seen with github.com/arran4/golang-ical v0.3.4: CN=Roe\, Ann. vobject 0.9.6.1 (Debian 12) reads two names, "Roe\"
# and " Ann", icalendar 4.0.3 one with a comma.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends python3-vobject=0.9.6.1-2 python3-icalendar=4.0.3-5 > install.txt 2>&1 || { cat install.txt; exit 1; }
cat > main.go <<'END'
package main

import (
	"fmt"
	"time"

	ics "github.com/arran4/golang-ical"
)

func main() {
	calendar := ics.NewCalendar()
	event := calendar.AddEvent("1")
	event.SetDtStampTime(time.Date(2026, 3, 5, 9, 0, 0, 0, time.UTC))
	event.SetStartAt(time.Date(2026, 3, 5, 9, 0, 0, 0, time.UTC))
	event.SetOrganizer("ann@example.org", ics.WithCN("Roe, Ann"))
	fmt.Print(calendar.Serialize())
}
END
go mod init example.org/finding > go.txt 2>&1
go get github.com/arran4/golang-ical@v0.3.4 >> go.txt 2>&1
CGO_ENABLED=0 go run . > event.ics
cat > read.py <<'END'
import icalendar
import vobject

text = open('event.ics', newline='').read()
print('vobject', vobject.readOne(text).vevent.organizer.params['CN'])
print('icalendar', icalendar.Calendar.from_ical(text).walk('VEVENT')[0]['ORGANIZER'].params['CN'])
END
{
  grep ^ORGANIZER event.ics | tr -d '\r'
  /usr/bin/python3 read.py
} > seen.txt
go list -m github.com/arran4/golang-ical
dpkg-query -W python3-vobject python3-icalendar
cat seen.txt
diff seen.txt - <<'END'
ORGANIZER;CN=Roe\, Ann:mailto:ann@example.org
vobject ['Roe\\', ' Ann']
icalendar Roe, Ann
END
