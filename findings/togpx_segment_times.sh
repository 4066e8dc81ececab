#!/usr/bin/env bash
# togpx gives a point of a track the times of a whole segment, where @mapbox/togeojson has read the track.
#
# Expected: a track with two segments that is read from GPX and written as GPX has the times that it had: coordTimes is
# a list for each segment, as the coordinates are.
# Seen with togpx 0.5.4 and @mapbox/togeojson 0.16.2 (Node 20): the first point of each segment has all times of the
# first segment, the second point those of the second one, in several <time> elements, of which GPX allows one. One
# list of times for a track of several segments begins anew in each of them. One segment is right.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error togpx@0.5.4 @mapbox/togeojson@0.16.2 @xmldom/xmldom@0.8.10

cat > read.mjs <<'END'
import togpx from 'togpx'
import togeojson from '@mapbox/togeojson'
import { DOMParser } from '@xmldom/xmldom'
const point = (latitude, time) => `<trkpt lat="${latitude}" lon="8"><time>2026-03-05T${time}:00Z</time></trkpt>`
const segments = [[point(47, '10:00'), point(47.1, '10:05')], [point(47.5, '11:00'), point(47.6, '11:05')]]
for (const number of [1, 2]) {
  const file = `<gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1"><trk>${segments.slice(0, number).map((points) => `<trkseg>${points.join('')}</trkseg>`).join('')}</trk></gpx>`
  const written = togpx(togeojson.gpx(new DOMParser().parseFromString(file, 'text/xml')))
  console.log('segments:', number)
  for (const [, latitude, times] of written.matchAll(/<trkpt lat="([^"]*)"[^>]*>(.*?)<.trkpt>/g)) console.log(' ', latitude, times.match(/\d\d:\d\d(?=:00Z)/g).join(' '))
}
END

node -p "'togpx ' + JSON.parse(fs.readFileSync('node_modules/togpx/package.json')).version"
node -p "'@mapbox/togeojson ' + JSON.parse(fs.readFileSync('node_modules/@mapbox/togeojson/package.json')).version"
node -p "'@xmldom/xmldom ' + JSON.parse(fs.readFileSync('node_modules/@xmldom/xmldom/package.json')).version"
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
segments: 1
  47 10:00
  47.1 10:05
segments: 2
  47 10:00 10:05
  47.1 11:00 11:05
  47.5 10:00 10:05
  47.6 11:00 11:05
END
