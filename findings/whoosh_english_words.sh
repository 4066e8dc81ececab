#!/usr/bin/env bash
# Whoosh's analyzers for German and French leave out the common words of English: emergency (Not) and gold (or).
#
# Expected: LanguageAnalyzer("de") leaves out the common words of German, of which it has a list, and finds all others.
# Seen with python3-whoosh 2.7.4 (Debian 12): the English list, with "not", "or", "if" and "can", is left out in every
# language, beside that of the language. So German "in Not", French "en or" and "l'if" (a yew) and Italian "can" are not
# in the index, and a question for one of them finds nothing. Words of one letter, a dose of 5 among them, are left out
# as well.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends python3-whoosh=2.7.4+git6-g9134ad92-7 > install.txt 2>&1 || { cat install.txt; exit 1; }
cat > find.py <<'END'
from whoosh.analysis import LanguageAnalyzer
from whoosh.fields import Schema, TEXT
from whoosh.filedb.filestore import RamStorage
from whoosh.lang import stopwords_for_language
from whoosh.qparser import QueryParser

for language, text, words in [('de', 'Der Patient kam in Not, nahm 5 mg.', ['Patient', 'Not', '5']),
                              ('fr', "Une bague en or, l'if du jardin.", ['bague', 'or', 'if'])]:
    schema = Schema(text=TEXT(analyzer=LanguageAnalyzer(language)))
    index = RamStorage().create_index(schema)
    writer = index.writer()
    writer.add_document(text=text)
    writer.commit()
    with index.searcher() as searcher:
        for word in words:
            found = len(searcher.search(QueryParser('text', schema).parse(word)))
            print(language, word, 'found' if found else 'not found', '| in the list:', word.lower() in stopwords_for_language(language))
END
dpkg-query -W python3-whoosh
/usr/bin/python3 -W ignore find.py > seen.txt
cat seen.txt
diff seen.txt - <<'END'
de Patient found | in the list: False
de Not not found | in the list: False
de 5 not found | in the list: False
fr bague found | in the list: False
fr or not found | in the list: False
fr if not found | in the list: False
END
