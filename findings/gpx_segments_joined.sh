#!/usr/bin/env bash
# Two readers of GPX count the way between the segments of a track as walked.
#
# Expected: GPX says that a segment is a span that was recorded without a break, and that a new one begins where
# reception was lost or the receiver was off: the length of a track is that of its segments, as in @tmcw/togeojson's
# lines, which are as many as the segments.
# Seen with gpxparser 3.0.8, @we-gold/gpxjs 1.2.0 and @tmcw/togeojson 7.1.3 (Node 20): all points of a track are one
# list, so that two walks of 111 m each, a train ride apart, are 134 km. gpxparser also leaves "&amp;" in texts as it is.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error gpxparser@3.0.8 @we-gold/gpxjs@1.2.0 @tmcw/togeojson@7.1.3 @xmldom/xmldom@0.9.12

cat > read.mjs <<'END'
import GpxParser from 'gpxparser'
import { parseGPXWithCustomParser } from '@we-gold/gpxjs'
import { gpx } from '@tmcw/togeojson'
import { DOMParser } from '@xmldom/xmldom'
const text = `<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1"><trk><name>Two walks</name><desc>Tea &amp; walk</desc>
<trkseg><trkpt lat="47" lon="8"></trkpt><trkpt lat="47.001" lon="8"></trkpt></trkseg>
<trkseg><trkpt lat="48" lon="9"></trkpt><trkpt lat="48.001" lon="9"></trkpt></trkseg></trk></gpx>`
const parser = new GpxParser()
parser.parse(text)
const [track] = parser.tracks
console.log('gpxparser', Math.round(track.distance.total), 'm', track.points.length, 'points', track.desc)
const [parsed] = parseGPXWithCustomParser(text, value => new DOMParser().parseFromString(value, 'text/xml'))
console.log('gpxjs', Math.round(parsed.tracks[0].distance.total), 'm', parsed.tracks[0].points.length, 'points')
const { geometry, properties } = gpx(new DOMParser().parseFromString(text, 'text/xml')).features[0]
console.log('togeojson', geometry.type, geometry.coordinates.length, 'lines', properties.desc)
END

for package in gpxparser @we-gold/gpxjs @tmcw/togeojson; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
gpxparser 134320 m 4 points Tea &amp; walk
gpxjs 134320 m 4 points
togeojson MultiLineString 2 lines Tea & walk
END
