#!/usr/bin/env bash
# m2r writes the signs of a Markdown text as "&lt;" into reStructuredText, which has no such names.
#
# Expected: &lt; and &frac12; are < and ½ in Markdown, and so in reStructuredText, where they are written as they are.
# Seen with python3-m2r 0.3.1 and docutils 0.19 (Debian 12): the reader of the page sees "&lt; 5 mg". A link whose
# address has brackets ends at the first that closes, and leads elsewhere. A list that begins at 3 begins at 1, and HTML
# in a text is in HTML alone: in a manual page, 10<sup>6</sup> is 10.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends python3-m2r=0.3.1-0.1 python3-docutils=0.19+dfsg-6 > install.txt 2>&1 || { cat install.txt; exit 1; }

cat > convert.py <<'END'
from docutils.core import publish_string
from m2r import convert

for text in ['Keep at &lt; 5 °C, &frac12; a tablet.', 'See [tea](https://example.org/tea_(drink)).', '3. Boil\n4. Pour', '10<sup>6</sup> cells']:
    rst = convert(text)
    print(text.replace('\n', ' / '), '->', ' / '.join(rst.strip().split('\n\n')[-1].splitlines()))
    for writer in ['html5', 'manpage']:
        page = publish_string(rst, writer_name=writer, settings_overrides={'report_level': 5}).decode()
        print(f'  {writer}:', ' / '.join(line for line in page.splitlines() if 'padding' not in line and any(word in line for word in ['tablet', 'tea_', 'Boil', 'cells'])))
END

dpkg-query -W python3-m2r python3-docutils
/usr/bin/python3 convert.py > seen.txt
cat seen.txt
diff seen.txt - <<'END'
Keep at &lt; 5 °C, &frac12; a tablet. -> Keep at &lt; 5 °C, &frac12; a tablet.
  html5: <p>Keep at &amp;lt; 5 °C, &amp;frac12; a tablet.</p>
  manpage: Keep at &lt; 5 °C, &frac12; a tablet.
See [tea](https://example.org/tea_(drink)). -> See `tea <https://example.org/tea_(drink>`_\ ).
  html5: <p>See <a class="reference external" href="https://example.org/tea_(drink">tea</a>).</p>
  manpage: 
3. Boil / 4. Pour -> #. Boil / #. Pour
  html5: <li><p>Boil</p></li>
  manpage: Boil
10<sup>6</sup> cells ->  / 10\ :raw-html-m2r:`<sup>6</sup>` cells
  html5: <p>10<span class="raw-html-m2r"><sup>6</sup></span> cells</p>
  manpage: 10 cells
END
