#!/usr/bin/env bash
# pandoc leaves hidden text out of RTF, and reads it as any other in Word and OpenDocument.
#
# Expected: text with the font attribute "hidden", which Word and LibreOffice neither show nor print, is read in all
# three formats or in none, as it is the same attribute of one program.
# Seen with pandoc 2.17.1.1 and python-docx 0.8.11 (Debian 12): of `Give not 5 mg.` with a hidden "not", RTF is
# "Give 5 mg.", DOCX and ODT are "Give not 5 mg."
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends pandoc=2.17.1.1-2~deb12u1 python3-docx=0.8.11+dfsg1-5 > install.txt 2>&1 || { cat install.txt; exit 1; }
cat > write.py <<'END'
import zipfile

import docx

document = docx.Document()
paragraph = document.add_paragraph('Give ')
paragraph.add_run('not ').font.hidden = True
paragraph.add_run('5 mg.')
document.save('dose.docx')

with open('dose.rtf', 'w') as file:
    file.write(r'{\rtf1\ansi Give {\v not }5 mg.\par}')

SPACES = ' '.join(f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ('office', 'text', 'style', 'manifest'))
with zipfile.ZipFile('dose.odt', 'w') as archive:
    archive.writestr('mimetype', 'application/vnd.oasis.opendocument.text')
    archive.writestr('META-INF/manifest.xml', f'<manifest:manifest {SPACES} manifest:version="1.2"><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.text"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/><manifest:file-entry manifest:full-path="styles.xml" manifest:media-type="text/xml"/></manifest:manifest>')
    archive.writestr('styles.xml', f'<office:document-styles {SPACES} office:version="1.2"><office:styles/></office:document-styles>')
    archive.writestr('content.xml', f'<office:document-content {SPACES} office:version="1.2"><office:automatic-styles><style:style style:name="T1" style:family="text"><style:text-properties text:display="none"/></style:style></office:automatic-styles>'
                     '<office:body><office:text><text:p>Give <text:span text:style-name="T1">not </text:span>5 mg.</text:p></office:text></office:body></office:document-content>')
END
/usr/bin/python3 write.py
dpkg-query -W pandoc python3-docx
for format in rtf docx odt; do
  echo "$format: $(pandoc --to plain "dose.$format")"
done > seen.txt
cat seen.txt
diff seen.txt - <<'END'
rtf: Give 5 mg.
docx: Give not 5 mg.
odt: Give not 5 mg.
END
