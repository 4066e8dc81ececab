#!/usr/bin/env bash
# odfpy's extractText joins the paragraphs of a list, a cell or a document.
#
# Expected: it makes a tab of text:tab and a new line of text:line-break, so what parts more than these, paragraphs
# and items, is parted, too.
# Seen with odfpy 1.4.2 (Debian 12): items "5 mg" and "10 mg" are "5 mg10 mg", two paragraphs of a cell likewise,
# and the number of a footnote with its text is in the middle of the sentence: "Take 1Not with milk.5 mg".
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends python3-odf=1.4.2-2 > install.txt 2>&1 || { cat install.txt; exit 1; }
cat > read.py <<'END'
from odf import table, teletype, text
from odf.opendocument import OpenDocumentText, load

document = OpenDocumentText()

def put(parent, *children):
    for child in children:
        parent.addElement(child)
    return parent

put(document.text, put(text.List(), *[put(text.ListItem(), text.P(text=dose)) for dose in ('5 mg', '10 mg')]))
put(document.text, put(table.Table(name='Plan'), put(table.TableRow(), put(table.TableCell(), text.P(text='5'), text.P(text='10')), put(table.TableCell(), text.P(text='20')))))
note = put(text.Note(noteclass='footnote'), text.NoteCitation(text='1'), put(text.NoteBody(), text.P(text='Not with milk.')))
sentence = put(text.P(text='Take '), note)
sentence.addText('5 mg')
line = text.P()
teletype.addTextToElement(line, 'a\tb\nc')
put(document.text, sentence, line)
document.save('plan.odt')
for element in load('plan.odt').text.childNodes:
    print(repr(teletype.extractText(element)))
END
/usr/bin/python3 read.py > seen.txt
dpkg-query -W python3-odf
cat seen.txt
diff seen.txt - <<'END'
'5 mg10 mg'
'51020'
'Take 1Not with milk.5 mg'
'a\tb\nc'
END
