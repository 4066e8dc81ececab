#!/usr/bin/env bash
# odt2txt begins a document with the text that was deleted from it.
#
# Expected: what was deleted while changes were tracked is no text of the document: an OpenDocument keeps it apart,
# before the text, for the case that the change is rejected.
# Seen with odt2txt 0.5 (Debian 12): who deleted, when and what come first, in one word: "Ann Roe2026-03-05T09:30:0050
# mg". A footnote and its number are joined with the word before them. Of cells that are the same as the one before
# them, which the file writes once, one is left.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends odt2txt=0.5-7 zip=3.0-13 > install.txt 2>&1 || { cat install.txt; exit 1; }

mkdir META-INF
printf application/vnd.oasis.opendocument.text > mimetype
cat > META-INF/manifest.xml <<'END'
<?xml version="1.0"?>
<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.2">
<manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.text"/>
<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/>
</manifest:manifest>
END
cat > content.xml <<'END'
<?xml version="1.0" encoding="UTF-8"?>
<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/" office:version="1.2"><office:body><office:text><text:tracked-changes><text:changed-region text:id="c1"><text:deletion><office:change-info><dc:creator>Ann Roe</dc:creator><dc:date>2026-03-05T09:30:00</dc:date></office:change-info><text:p>50 mg</text:p></text:deletion></text:changed-region></text:tracked-changes><text:p>Take <text:change text:change-id="c1"/>5 mg<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>not before noon</text:p></text:note-body></text:note> daily.</text:p><table:table><table:table-row><table:table-cell><text:p>Dose</text:p></table:table-cell><table:table-cell table:number-columns-repeated="3"><text:p>7</text:p></table:table-cell></table:table-row></table:table></office:text></office:body></office:document-content>
END
zip -q -X0 plan.odt mimetype
zip -q -Xr plan.odt META-INF content.xml

dpkg-query -W odt2txt
odt2txt --encoding=UTF-8 plan.odt | sed '/^$/d' > seen.txt
cat seen.txt
diff seen.txt - <<'END'
Ann Roe2026-03-05T09:30:0050 mg
Take 5 mg1not before noon
daily.
Dose
7
END
