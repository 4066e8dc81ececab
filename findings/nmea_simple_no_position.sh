#!/usr/bin/env bash
# Two readers of NMEA place a receiver that knows no position at 0° north and 0° east, in the Gulf of Guinea.
#
# Expected: empty fields are no numbers: RMC has empty fields and the status V as long as there is no position, and GGA
# a quality of 0, which every receiver sends after it is switched on; gps for JavaScript has null.
# Seen with nmea-simple 3.3.0 and gps 0.9.0 (Node 20), and python3-nmea2 1.15.0 (Debian 12): latitude and longitude of
# the first and the third are 0; so are speed, course and height of the first, where the third has none. A list of
# positions gets a real place.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
apt-get install -y -qq --no-install-recommends python3-nmea2=1.15.0-4 > install.txt 2>&1 || { cat install.txt; exit 1; }
npm install --no-audit --no-fund --loglevel=error nmea-simple@3.3.0 gps@0.9.0

cat > read.mjs <<'END'
import { parseNmeaSentence } from 'nmea-simple'
import gps from 'gps'
import { execFileSync } from 'node:child_process'
const framed = (text) => `$${text}*${[...text].reduce((sum, letter) => sum ^ letter.charCodeAt(0), 0).toString(16).toUpperCase().padStart(2, '0')}`
const program = 'import pynmea2, sys; m = pynmea2.parse(sys.argv[1]); print(m.latitude, m.longitude)'
for (const text of ['GPRMC,001043.00,A,4724.6000,N,00832.1000,E,5.5,084.4,050326,,', 'GPRMC,001043.00,V,,,,,,,050326,,', 'GPGGA,001043.00,,,,,0,00,99.99,,,,,,']) {
  const sentence = framed(text)
  const { latitude, longitude, speedKnots, trackTrue, altitudeMeters } = parseNmeaSentence(sentence)
  console.log(text)
  console.log('  nmea-simple:', latitude, longitude, JSON.stringify({ speedKnots, trackTrue, altitudeMeters }))
  const { lat, lon } = (gps.Parse ?? gps.GPS.Parse)(sentence)
  console.log('  gps:', lat, lon)
  console.log('  pynmea2:', execFileSync('/usr/bin/python3', ['-c', program, sentence]).toString().trim())
}
END

node -p "'nmea-simple ' + JSON.parse(fs.readFileSync('node_modules/nmea-simple/package.json')).version"
node -p "'gps ' + JSON.parse(fs.readFileSync('node_modules/gps/package.json')).version"
dpkg-query -W python3-nmea2
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
GPRMC,001043.00,A,4724.6000,N,00832.1000,E,5.5,084.4,050326,,
  nmea-simple: 47.41 8.535 {"speedKnots":5.5,"trackTrue":84.4}
  gps: 47.41 8.535
  pynmea2: 47.41 8.535
GPRMC,001043.00,V,,,,,,,050326,,
  nmea-simple: -0 -0 {"speedKnots":0,"trackTrue":0}
  gps: null null
  pynmea2: 0.0 0.0
GPGGA,001043.00,,,,,0,00,99.99,,,,,,
  nmea-simple: -0 -0 {"altitudeMeters":0}
  gps: null null
  pynmea2: 0.0 0.0
END
