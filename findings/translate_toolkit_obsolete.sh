#!/usr/bin/env bash
# The Translate Toolkit makes a valid message of one that was taken out, and one of two that only their context tells
# apart.
#
# Expected: po2xliff and po2csv leave out obsolete entries (#~), or mark them, and keep msgctxt: "Open" of a menu and
# "Open" of a state, which have two translations, are two messages in every format, and on the way back.
# Seen with translate-toolkit 3.8.4 (Debian 12): the obsolete entry is an approved translation in XLIFF, and an entry as
# any other once it is PO again. The contexts are gone, and of the two messages the one that comes back has an empty
# context, the second has vanished. po2tmx leaves out the plural of a message.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends translate-toolkit=3.8.4-1 > install.txt 2>&1 || { cat install.txt; exit 1; }

cat > doses.po <<'END'
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\n"
"Language: de\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\n"

msgctxt "menu"
msgid "Open"
msgstr "Öffnen"

msgctxt "state"
msgid "Open"
msgstr "Offen"

msgid "%d dose"
msgid_plural "%d doses"
msgstr[0] "%d Dosis"
msgstr[1] "%d Dosen"

#~ msgid "Take 50 mg"
#~ msgstr "Nimm 50 mg"
END

# entries FILE: the messages of a file, without its header.
entries() {
  sed '1,/^$/d' "$1" | grep -E '^(#~ )?msg' | sed 's/^/  /'
}
po2xliff doses.po doses.xlf > log.txt 2>&1
xliff2po doses.xlf from-xliff.po >> log.txt 2>&1
po2csv doses.po doses.csv >> log.txt 2>&1
csv2po doses.csv from-csv.po >> log.txt 2>&1
po2tmx -l de doses.po doses.tmx >> log.txt 2>&1
{
  echo 'XLIFF'
  tr -d '\n' < doses.xlf | grep -oE '<trans-unit[^>]*id="[2-9][^>]*>.*' | grep -oE 'approved="[a-z]+"[^>]*> *<source>(Open|Take)[^<]*</source> *<target[^>]*>[^<]*' | sed -e 's/<[^>]*>/ /g' -e 's/.*approved/  approved/' | tr -s ' '
  for way in xliff csv; do
    echo "PO from $way"
    entries "from-$way.po"
  done
  echo 'TMX'
  grep -oE '<seg>[^<]*' doses.tmx | sed 's/<seg>/  /'
} > seen.txt
dpkg-query -W translate-toolkit
cat seen.txt
diff seen.txt - <<'END'
XLIFF
 approved="yes"> Open Öffnen
 approved="yes"> Open Offen
 approved="yes"> Take 50 mg Nimm 50 mg
PO from xliff
  msgctxt ""
  msgid "Open"
  msgstr "Öffnen"
  msgid "%d dose"
  msgid_plural "%d doses"
  msgstr[0] "%d Dosis"
  msgstr[1] "%d Dosen"
  msgid "Take 50 mg"
  msgstr "Nimm 50 mg"
PO from csv
  msgctxt ""
  msgid "Open"
  msgstr "Öffnen"
  msgid "%d dose"
  msgstr "%d Dosis"
  msgid "%d doses"
  msgstr "%d Dosen"
  msgid "Take 50 mg"
  msgstr "Nimm 50 mg"
TMX
  Open
  Öffnen
  Open
  Offen
  %d dose
  %d Dosis
END
