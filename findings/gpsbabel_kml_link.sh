#!/usr/bin/env bash
# GPSBabel leaves out the description of a place in KML where the place has a link.
#
# Expected: the description of a place in GPX is that in KML, with the link below it or beside it.
# Seen with gpsbabel 1.8.0 (Debian 12): the link is all of the description; text and comment of the same place are
# gone, without a word. A place without a link has the comment, and of two texts, comment and description, only that;
# GeoJSON has no more of them.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends gpsbabel=1.8.0+ds-5 > install.txt 2>&1 || { cat install.txt; exit 1; }
cat > places.gpx <<'END'
<?xml version="1.0" encoding="UTF-8"?><gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1">
<wpt lat="47.5" lon="8.5"><name>Spring</name><cmt>Short.</cmt><desc>Do not drink.</desc></wpt>
<wpt lat="47.6" lon="8.6"><name>Well</name><cmt>Short.</cmt><desc>Do not drink.</desc>
<link href="https://example.org/well"><text>Map</text></link></wpt></gpx>
END
gpsbabel -i gpx -f places.gpx -o kml -F places.kml
gpsbabel -i gpx -f places.gpx -o geojson -F places.json
dpkg-query -W gpsbabel
{ grep -E '^ *<(name|description)>' places.kml | grep -vE 'GPS device|Waypoints' | sed 's/^ *//'; grep -E '"(name|description)"' places.json | sed 's/^ *//'; } > seen.txt
cat seen.txt
diff seen.txt - <<'END'
<name>Spring</name>
<description>Short.</description>
<name>Well</name>
<description><![CDATA[<a href="https://example.org/well">Map</a>]]></description>
"description": "Short.",
"name": "Spring"
"description": "Short.",
"name": "Well",
END
