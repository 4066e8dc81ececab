#!/usr/bin/env bash
# GPSBabel lays a track and a hut that it reads from its own GeoJSON at sea level.
#
# Expected: heights, which GPX and GeoJSON both have, are the same on the way to GeoJSON and back; a track in two
# segments stays in two, as GeoJSON has lines of several parts.
# Seen with gpsbabel 1.8.0 (Debian 12): the GeoJSON has the heights, and all of them, those of places too, are read as 0.
# The segments are one line there, and come back as a route that has the gap between them for a part of the way.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends gpsbabel=1.8.0+ds-5 > install.txt 2>&1 || { cat install.txt; exit 1; }
cat > walk.gpx <<'END'
<?xml version="1.0" encoding="UTF-8"?><gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1">
<wpt lat="47.5" lon="8.5"><ele>1200</ele><name>Hut</name></wpt>
<trk><name>Walk</name><trkseg><trkpt lat="47" lon="8"><ele>400</ele></trkpt><trkpt lat="47.1" lon="8"><ele>410</ele></trkpt></trkseg>
<trkseg><trkpt lat="48" lon="9"><ele>900</ele></trkpt><trkpt lat="48.1" lon="9"><ele>910</ele></trkpt></trkseg></trk></gpx>
END
gpsbabel -i gpx -f walk.gpx -o geojson -F walk.json
gpsbabel -i geojson -f walk.json -o gpx -F again.gpx
dpkg-query -W gpsbabel
{ tr -d ' \n' < walk.json | grep -oE '"geometry":\{[^}]*\}'; grep -E '<(wpt|ele|rte|rtept|trk|trkseg|trkpt)[ >]' again.gpx | sed 's/^ *//'; } > seen.txt
cat seen.txt
diff seen.txt - <<'END'
"geometry":{"coordinates":[8.5,47.5,1200],"type":"Point"}
"geometry":{"coordinates":[[8,47,400],[8,47.1,410],[9,48,900],[9,48.1,910]],"type":"LineString"}
<wpt lat="47.500000000" lon="8.500000000">
<ele>0.000</ele>
<rte>
<rtept lat="47.000000000" lon="8.000000000">
<ele>0.000</ele>
<rtept lat="47.100000000" lon="8.000000000">
<ele>0.000</ele>
<rtept lat="48.000000000" lon="9.000000000">
<ele>0.000</ele>
<rtept lat="48.100000000" lon="9.000000000">
<ele>0.000</ele>
END
