#!/usr/bin/env bash
# pandoc leaves out what the fields of an OpenDocument text show: "Give 5 mg to Roe" is "Give to ".
#
# Expected: the text of a field is in the file between its tags, so that a reader who does not know the field shows what
# is there, as odt2txt does; pandoc shows that of the fields of Word.
# Seen with pandoc 2.17.1.1 and odt2txt 0.5 (Debian 12): input fields, lists to choose from, conditional texts,
# variables and fixed dates are gone without a warning, in the formats of LibreOffice's templates for letters and forms.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends pandoc=2.17.1.1-2~deb12u1 odt2txt=0.5-7 > install.txt 2>&1 || { cat install.txt; exit 1; }
cat > write.py <<'END'
import zipfile

SPACES = ' '.join(f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ('office', 'text', 'style', 'manifest'))
FIELDS = {
    'input': '<text:text-input text:description="dose">5 mg</text:text-input>',
    'list': '<text:drop-down text:name="l"><text:label text:current-selected="true" text:value="5 mg"/>5 mg</text:drop-down>',
    'condition': '<text:conditional-text text:condition="ooow:1==1" text:string-value-if-true="5 mg" text:string-value-if-false="" text:current-value="true">5 mg</text:conditional-text>',
    'variable': '<text:user-field-get text:name="dose">5 mg</text:user-field-get>',
    'date': '<text:date text:fixed="true" text:date-value="2026-03-05">5 March</text:date>',
}
body = ''.join(f'<text:p>{name}: {field}.</text:p>' for name, field in FIELDS.items())
declared = '<text:user-field-decls><text:user-field-decl office:value-type="string" office:string-value="5 mg" text:name="dose"/></text:user-field-decls>'
with zipfile.ZipFile('form.odt', 'w') as archive:
    archive.writestr('mimetype', 'application/vnd.oasis.opendocument.text')
    archive.writestr('META-INF/manifest.xml', f'<manifest:manifest {SPACES} manifest:version="1.2"><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.text"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/><manifest:file-entry manifest:full-path="styles.xml" manifest:media-type="text/xml"/></manifest:manifest>')
    archive.writestr('styles.xml', f'<office:document-styles {SPACES} office:version="1.2"><office:styles/></office:document-styles>')
    archive.writestr('content.xml', f'<office:document-content {SPACES} xmlns:ooow="http://openoffice.org/2004/writer" office:version="1.2"><office:body><office:text>{declared}{body}</office:text></office:body></office:document-content>')
END
/usr/bin/python3 write.py
dpkg-query -W pandoc odt2txt
{
  echo pandoc
  pandoc --from odt --to plain form.odt 2> warnings.txt | grep .
  echo "$(wc -l < warnings.txt) warnings"
  echo odt2txt
  odt2txt --encoding=UTF-8 form.odt | grep .
} > seen.txt
cat seen.txt
diff seen.txt - <<'END'
pandoc
input: .
list: .
condition: .
variable: .
date: .
0 warnings
odt2txt
input: 5 mg.
list: 5 mg.
condition: 5 mg.
variable: 5 mg.
date: 5 March.
END
