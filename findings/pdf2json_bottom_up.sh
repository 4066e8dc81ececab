#!/usr/bin/env bash
# The plain text that pdf2json makes of a page (getRawTextContent), here of one that pdf-lib writes in
# the order in which it is read.
# Expected: the lines in that order, or from the top to the bottom, which is the same here.
# What happens: they come from the bottom to the top, the last line of each page first; the pages are
# in order. unpdf reads the same file from the top.
# Seen with pdf2json 4.1.0, pdf-lib 1.17.1 and unpdf 1.8.1.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent pdf2json@4.1.0 pdf-lib@1.17.1 unpdf@1.8.1
cat > read.mjs <<'JS'
import fs from 'node:fs';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import PDFParser from 'pdf2json';
import { extractText, getDocumentProxy } from 'unpdf';

const file = await PDFDocument.create();
const font = await file.embedFont(StandardFonts.Helvetica);
for (const lines of [['Storage of plasma', 'Thaw it slowly.', 'Do not freeze it again.'], ['Ask the ward.', 'Note the time.']]) {
  const page = file.addPage([400, 300]);
  lines.forEach((line, i) => page.drawText(line, { x: 50, y: 250 - 20 * i, size: 12, font }));
}
const bytes = await file.save();
fs.writeFileSync('plasma.pdf', bytes);
const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true });
const parser = new PDFParser(null, true);
parser.on('pdfParser_dataError', (e) => { throw e; });
parser.on('pdfParser_dataReady', () => {
  console.log('unpdf:    ' + text.split('\n').join(' / '));
  console.log('pdf2json: ' + parser.getRawTextContent().split(/\r?\n/).filter((l) => l && !l.startsWith('---')).join(' / '));
});
parser.loadPDF('plasma.pdf', 0);
JS
node read.mjs | grep -E '^(unpdf|pdf2json): ' > got.txt
cat > want.txt <<'TXT'
unpdf:    Storage of plasma / Thaw it slowly. / Do not freeze it again. / Ask the ward. / Note the time.
pdf2json: Do not freeze it again. / Thaw it slowly. / Storage of plasma / Note the time. / Ask the ward.
TXT
cat got.txt
diff want.txt got.txt
