#!/usr/bin/env bash
# pybtex escapes what is escaped already when it writes BibTeX: \& becomes \\&, a line break and a separator.
#
# Expected: an entry that is read and written says the same in LaTeX: a value is LaTeX, before and after.
# Seen with pybtex 0.24.0 (Debian 12): each round adds a backslash to \&, \% and \_; "~" of a link becomes a
# command, which \url shows as it is written. Accents stay.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends python3-pybtex=0.24.0-3 > install.txt 2>&1 || { cat install.txt; exit 1; }
cat > write.py <<'END'
from pybtex.database import parse_string

text = r'''@misc{tea,
  title = {Milk \& tea: 5\% of caf\'e},
  url = {https://example.org/~ann/max_dose}
}'''
for _ in range(2):
    text = parse_string(text, 'bibtex').to_string('bibtex')
    print(text.strip())
END
/usr/bin/python3 write.py > seen.txt
dpkg-query -W python3-pybtex
cat seen.txt
diff seen.txt - <<'END'
@misc{tea,
    title = "Milk \\& tea: 5\\% of caf\'e",
    url = "https://example.org/\textasciitilde ann/max\_dose"
}
@misc{tea,
    title = "Milk \\\& tea: 5\\\% of caf\'e",
    url = "https://example.org/\textasciitilde ann/max\\_dose"
}
END
