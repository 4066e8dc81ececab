#!/usr/bin/env bash
# biblatex-csl-converter joins the first and the last page of an article, 101-109, to page 101109.
#
# Expected: a range of pages in CSL, RIS, EndNote's or PubMed's format is one in CSL and in BibLaTeX.
# Seen with biblatex-csl-converter 3.6.0 (Node 20): the hyphen is lost on the way from each of these formats, without
# an error or a warning; of PubMed's 101-9 it makes 1019. From BibLaTeX, with two hyphens, the range is right, but
# there the issue of the article (number) is the number of a series in CSL (collection-number), and "and others" is an
# author called others. A day that RIS writes as 2020/03/05 is not in CSL at all.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error biblatex-csl-converter@3.6.0

cat > convert.mjs <<'END'
import { BibLatexExporter, BibLatexParser, CSLExporter, parseCSL, parseENW, parseNBIB, parseRIS } from 'biblatex-csl-converter'
const ris = 'TY  - JOUR\nAU  - Roe, Ann\nTI  - Dose\nT2  - Journal\nPY  - 2020/03/05\nIS  - 3\nSP  - 101\nEP  - 109\nER  - \n'
const enw = '%0 Journal Article\n%A Roe, Ann\n%T Dose\n%J Journal\n%D 2020\n%N 3\n%P 101-109\n'
const nbib = 'PMID- 1\nIP  - 3\nDP  - 2020 Mar 5\nTI  - Dose\nPG  - 101-9\nFAU - Roe, Ann\nJT  - Journal\nPT  - Journal Article\n'
const csl = { a: { id: 'a', type: 'article-journal', title: 'Dose', author: [{ family: 'Roe', given: 'Ann' }], page: '101-109', issue: '3', issued: { 'date-parts': [[2020, 3, 5]] } } }
const bib = '@article{a, author = {Roe, Ann and others}, title = {Dose}, journal = {Journal}, year = {2020}, number = {3}, pages = {101--109}}'
const formats = { RIS: parseRIS(ris), EndNote: parseENW(enw), PubMed: parseNBIB(nbib), CSL: parseCSL(csl), BibLaTeX: new BibLatexParser(bib).parse() }
for (const [format, read] of Object.entries(formats)) {
  const { page, issue, 'collection-number': series, issued, author } = Object.values(new CSLExporter(read.entries ?? read).parse())[0]
  console.log(`${format}:`, JSON.stringify({ page, issue, series, issued: issued?.['date-parts'][0], authors: author.map(({ family, literal }) => family ?? literal) }))
  console.log(`${format}:`, new BibLatexExporter(read.entries ?? read).parse().match(/pages.*/)[0])
}
END

node -p "'biblatex-csl-converter ' + JSON.parse(fs.readFileSync('node_modules/biblatex-csl-converter/package.json')).version"
node convert.mjs > seen.txt 2> log.txt
cat seen.txt
diff seen.txt - <<'END'
RIS: {"page":"101109","issue":"3","authors":["Roe"]}
RIS: pages = {101109}
EndNote: {"page":"101109","issue":"3","issued":[2020],"authors":["Roe"]}
EndNote: pages = {101109}
PubMed: {"page":"1019","issue":"3","issued":[2020,3,5],"authors":["Roe"]}
PubMed: pages = {1019},
CSL: {"page":"101109","issue":"3","issued":[2020,3,5],"authors":["Roe"]}
CSL: pages = {101109},
BibLaTeX: {"page":"101-109","series":"3","issued":[2020],"authors":["Roe","others"]}
BibLaTeX: pages = {101--109}
END
