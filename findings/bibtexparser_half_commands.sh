#!/usr/bin/env bash
# bibtexparser reads the first letter of a command as one: $\leq$ 5 becomes łeq 5, and \omega ømega.
#
# Expected: \l is ł and \o is ø where the name of the command ends; \leq is ≤, or stays as it is, as \times does.
# Seen with python3-bibtexparser 1.1.0 (Debian 12): convert_to_unicode, its own way to make text of LaTeX, replaces \l, \o
# and \i also where they begin the name of another command. "p \leq 0.05" loses what it says, \lambda is łambda, and
# \LaTeX ŁaTeX.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends python3-bibtexparser=1.1.0+ds-5 > install.txt 2>&1 || { cat install.txt; exit 1; }
cat > read.py <<'END'
import bibtexparser
from bibtexparser.bparser import BibTexParser
from bibtexparser.customization import convert_to_unicode

for title in [r'\alpha and \l{}', r'$p \leq 0.05$', r'$\omega$ and $\lambda$', r'\ldots{} in \LaTeX', r'$5 \times 2$', r'$\int x$',
              r'stra{\ss}e, \o{}re']:
    parser = BibTexParser(customization=convert_to_unicode)
    print(title, '=>', parser.parse('@article{a, title = {%s}}' % title).entries[0]['title'])
END
dpkg-query -W python3-bibtexparser
PYTHONIOENCODING=utf-8 /usr/bin/python3 read.py > seen.txt
cat seen.txt
diff seen.txt - <<'END'
\alpha and \l{} => α and ł
$p \leq 0.05$ => $p łeq 0.05$
$\omega$ and $\lambda$ => $ømega$ and $łambda$
\ldots{} in \LaTeX => łdots in ŁaTeX
$5 \times 2$ => $5 \times 2$
$\int x$ => $ınt x$
stra{\ss}e, \o{}re => straße, øre
END
