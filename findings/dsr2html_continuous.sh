#!/usr/bin/env bash
# DCMTK's dsr2html shows a measured value without what was measured where a container of a DICOM report says that
# its content is continuous.
#
# Expected: the name of the concept ("Area of defined region") stands before a value in both kinds of
# containers: the flag CONTINUOUS says that items follow one another as running text, and writers such as highdicom
# set it for every container.
# Seen with DCMTK 3.6.7 (Debian 12): "Area of defined region: 1.7 cm2" in a container that is SEPARATE, a bare
# "1.7 cm2" in one that is CONTINUOUS.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends dcmtk=3.6.7-9~deb12u4 > install.txt 2>&1 || { cat install.txt; exit 1; }

# code TAG VALUE SCHEME MEANING: a sequence of one code.
code() {
  printf '(%s) SQ\n(fffe,e000) -\n(0008,0100) SH [%s]\n(0008,0102) SH [%s]\n(0008,0104) LO [%s]\n(fffe,e00d) -\n(fffe,e0dd) -\n' "$@"
}

# report CONTINUITY: the text form of a report with one measurement.
report() {
  cat <<'END'
(0002,0010) UI =LittleEndianExplicit
(0008,0016) UI =ComprehensiveSRStorage
(0008,0018) UI [2.25.1]
(0008,0020) DA [20240305]
(0008,0023) DA [20240305]
(0008,0030) TM [101500]
(0008,0033) TM [101500]
(0008,0050) SH [1]
(0008,0060) CS [SR]
(0008,0070) LO [Example]
(0008,0090) PN [Roe^Bo]
(0008,1111) SQ
(fffe,e0dd) -
(0010,0010) PN [Doe^Ann]
(0010,0020) LO [1]
(0010,0030) DA [19700101]
(0010,0040) CS [O]
(0020,000d) UI [2.25.2]
(0020,000e) UI [2.25.3]
(0020,0010) SH [1]
(0020,0011) IS [1]
(0020,0013) IS [1]
(0040,a040) CS [CONTAINER]
END
  code 0040,a043 126000 DCM 'Imaging Measurement Report'
  printf '(0040,a050) CS [%s]\n(0040,a491) CS [PARTIAL]\n(0040,a493) CS [UNVERIFIED]\n(0040,a372) SQ\n(fffe,e0dd) -\n' "$1"
  printf '(0040,a730) SQ\n(fffe,e000) -\n(0040,a010) CS [CONTAINS]\n(0040,a040) CS [NUM]\n'
  code 0040,a043 G-A166 SRT 'Area of defined region'
  printf '(0040,a300) SQ\n(fffe,e000) -\n'
  code 0040,08ea cm2 UCUM 'square centimeter'
  printf '(0040,a30a) DS [1.7]\n(fffe,e00d) -\n(fffe,e0dd) -\n(fffe,e00d) -\n(fffe,e0dd) -\n'
}

for continuity in SEPARATE CONTINUOUS; do
  report "$continuity" > report.dump
  dump2dcm report.dump report.dcm
  # The words of the page from the title of the report on, without the last line, on one line.
  dsr2html report.dcm | sed -n '/<h1>/,/<hr>/p' | sed -e 's/<[^>]*>/ /g' | tr -s ' \n' '  ' | sed -e 's/^ *//' -e 's/ *$//' > words.txt
  printf '%s: %s\n' "$continuity" "$(cat words.txt)" >> seen.txt
done
dsr2html --version > version.txt
head -n 1 version.txt
cat seen.txt
diff seen.txt - <<'END'
SEPARATE: Imaging Measurement Report Area of defined region: 1.7 cm2
CONTINUOUS: Imaging Measurement Report 1.7 cm2
END
