#!/usr/bin/env bash
# commonmark for Python joins the paragraphs of an item in reStructuredText: "Take 5", "10 drops" is 510 drops.
#
# Expected: the second paragraph of an item and a list below it are indented in reStructuredText, a list begins with its
# number, and what Markdown has escaped is escaped where the sign means something there, too.
# Seen with commonmark 0.9.1 and docutils 0.19 (Debian 12): the steps of an inner list are steps of the outer one, the
# number of a list is "#.", and no sign is escaped, so that docutils makes a bullet of a star, a list of "5. Take it",
# and emphasis of two stars that Markdown shows.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends python3-commonmark=0.9.1-4 python3-docutils=0.19+dfsg-6 > install.txt 2>&1 || { cat install.txt; exit 1; }

cat > convert.py <<'END'
import re
from commonmark import HtmlRenderer, Parser, ReStructuredTextRenderer
from docutils.core import publish_parts
def html(rst):
    body = publish_parts(rst, writer_name='html5', settings_overrides={'report_level': 5, 'initial_header_level': 1})['body']
    return re.sub(r'\s*\n\s*', ' ', re.sub(r' class="[^"]*"', '', body)).strip()
for text in ('- Take 5\n\n  10 drops', '- Dose\n  - 5 mg', '3. Take it', '\\* 5 mg', '5\\. Take it', '5 mg \\*once\\* a day'):
    rst = ReStructuredTextRenderer().render(Parser().parse(text))
    print(repr(text), '=>', repr(rst.strip()))
    print('  Markdown:', re.sub(r'\s*\n\s*', ' ', HtmlRenderer().render(Parser().parse(text))).strip())
    print('  docutils:', html(rst))
END

/usr/bin/python3 convert.py > seen.txt
dpkg-query -W python3-commonmark python3-docutils
cat seen.txt
diff seen.txt - <<'END'
'- Take 5\n\n  10 drops' => '* Take 510 drops'
  Markdown: <ul> <li> <p>Take 5</p> <p>10 drops</p> </li> </ul>
  docutils: <ul> <li><p>Take 510 drops</p></li> </ul>
'- Dose\n  - 5 mg' => '* Dose\n* 5 mg'
  Markdown: <ul> <li>Dose <ul> <li>5 mg</li> </ul> </li> </ul>
  docutils: <ul> <li><p>Dose</p></li> <li><p>5 mg</p></li> </ul>
'3. Take it' => '#. Take it'
  Markdown: <ol start="3"> <li>Take it</li> </ol>
  docutils: <ol> <li><p>Take it</p></li> </ol>
'\\* 5 mg' => '* 5 mg'
  Markdown: <p>* 5 mg</p>
  docutils: <ul> <li><p>5 mg</p></li> </ul>
'5\\. Take it' => '5. Take it'
  Markdown: <p>5. Take it</p>
  docutils: <ol start="5"> <li><p>Take it</p></li> </ol>
'5 mg \\*once\\* a day' => '5 mg *once* a day'
  Markdown: <p>5 mg *once* a day</p>
  docutils: <p>5 mg <em>once</em> a day</p>
END
