#!/usr/bin/env bash
# bibtex-tidy writes µ, ≥ and ± as commands that only formulas know, and pandoc reads "5 µg" as "5 g".
#
# Expected: with its defaults the tidier changes the form of an entry, and escapes what it changes so that LaTeX and
# other programs read the same sign, as it does with α (\ensuremath{\alpha}).
# Seen with bibtex-tidy 1.14.0 (Node 20) and pandoc 2.17.1.1 (Debian 12): \mathrm{\mu}, \geq{} and \pm{} stand in a
# title, where LaTeX stops at them, and pandoc leaves them out without a word on standard error, as it leaves out
# \textonehalf and \texttimes: a dose of 5 µg is 5 g, and "≥ 5 mg" is 5 mg. Before it was tidied, the same file is read
# rightly.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error bibtex-tidy@1.14.0
apt-get install -y -qq --no-install-recommends pandoc=2.17.1.1-2~deb12u1 > install.txt 2>&1 || { cat install.txt; exit 1; }

cat > tidy.mjs <<'END'
import { tidy } from 'bibtex-tidy'
import { readFileSync } from 'node:fs'
process.stdout.write(tidy(readFileSync('doses.bib', 'utf8')).bibtex)
END
cat > doses.bib <<'END'
@article{a, title = {A dose of 5 µg}, year = 2026}
@article{b, title = {A dose ≥ 5 mg}, year = 2026}
@article{c, title = {A dose of 5 ± 1 mg}, year = 2026}
@article{d, title = {A dose of ½ mg}, year = 2026}
@article{e, title = {A dose of 2 × 5 mg}, year = 2026}
END
# titles FILE: the titles of a file as pandoc reads them.
titles() {
  pandoc -f bibtex -t csljson "$1" 2>> log.txt | sed -nE 's/^ *"title": "(.*)",?$/  \1/p'
}
node tidy.mjs > tidied.bib
{
  echo 'as it was'
  titles doses.bib
  echo 'tidied'
  grep -oE 'title .*' tidied.bib | sed -E 's/.*= \{(.*)\},/  \1/'
  echo 'tidied, as pandoc reads it'
  titles tidied.bib
  echo "$(wc -c < log.txt) bytes on standard error"
} > seen.txt
node -p "'bibtex-tidy ' + JSON.parse(fs.readFileSync('node_modules/bibtex-tidy/package.json')).version"
dpkg-query -W pandoc
cat seen.txt
diff seen.txt - <<'END'
as it was
  A dose of 5 µg
  A dose ≥ 5 mg
  A dose of 5 ± 1 mg
  A dose of ½ mg
  A dose of 2 × 5 mg
tidied
  A dose of 5 \mathrm{\mu}g
  A dose \geq{} 5 mg
  A dose of 5 \pm{} 1 mg
  A dose of \textonehalf{} mg
  A dose of 2 \texttimes{} 5 mg
tidied, as pandoc reads it
  A dose of 5 g
  A dose  5 mg
  A dose of 5  1 mg
  A dose of  mg
  A dose of 2  5 mg
0 bytes on standard error
END
