#!/usr/bin/env bash
# html2text for Python puts blanks into Chinese words that are partly emphasised, and makes headings of paragraphs.
#
# Expected: the text of the Markdown, rendered, is that of the page; signs at the beginning of a line that mean
# something are escaped, as it does with "1." and "+".
# Seen with python3-html2text 2020.1.16 (Debian 12): 高<b>血压</b>病 becomes three words, so that 高血压病 is no longer in
# the text, and English un<b>believ</b>able likewise; a paragraph "# 5 tablets" becomes a heading.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends python3-html2text=2020.1.16-2 > install.txt 2>&1 || { cat install.txt; exit 1; }
cat > convert.py <<'END'
import html2text

for page in ['<p>高<b>血压</b>病</p>', '<p>un<b>believ</b>able</p>', '<p># 5 tablets</p>', '<p>1. not a list</p>', '<p>+ none</p>']:
    print(html2text.html2text(page).strip())
END
/usr/bin/python3 convert.py > seen.txt
dpkg-query -W python3-html2text
cat seen.txt
diff seen.txt - <<'END'
高 **血压** 病
un **believ** able
# 5 tablets
1\. not a list
\+ none
END
