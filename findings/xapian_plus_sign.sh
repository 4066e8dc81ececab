#!/usr/bin/env bash
# Xapian does not find Na in a text that has Na+, and 2 not in "grade 2+".
#
# Expected: signs part words: "Na" finds "Na+", as it finds "Na-", "(Na)" and "Na/K".
# Seen with python3-xapian 1.4.22 (Debian 12), its TermGenerator and QueryParser as they are: up to three + and #
# belong to the word before them, so that C++ and C# are words of their own. Who asks for Na+ finds Na, too, as the
# sign is left out where nothing has it; who asks for Na finds no Na+, and Ca no Ca++. Points within capitals go, so
# that A.B. is found as AB, but not p.m. as pm.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends python3-xapian=1.4.22-1 > install.txt 2>&1 || { cat install.txt; exit 1; }
cat > find.py <<'END'
import xapian


def found(text, question):
    database = xapian.WritableDatabase('', xapian.DB_BACKEND_INMEMORY)
    document = xapian.Document()
    generator = xapian.TermGenerator()
    generator.set_document(document)
    generator.index_text(text)
    database.add_document(document)
    parser = xapian.QueryParser()
    parser.set_database(database)
    enquire = xapian.Enquire(database)
    enquire.set_query(parser.parse_query(question))
    return 'found' if enquire.get_mset(0, 10) else 'not found'


for text, question in [('serum Na 140', 'Na'), ('serum Na/K', 'Na'), ('serum Na- low', 'Na'), ('serum Na+ 140', 'Na+'), ('serum Na 140', 'Na+'),
                       ('serum Na+ 140', 'Na'), ('Ca++ channels', 'Ca'), ('edema grade 2+', '2'), ('played in C#', 'C'),
                       ('Dr. A.B. Roe', 'AB'), ('9 p.m. sharp', 'pm')]:
    print(f'{question} in "{text}": {found(text, question)}')
END
dpkg-query -W python3-xapian
/usr/bin/python3 find.py > seen.txt
cat seen.txt
diff seen.txt - <<'END'
Na in "serum Na 140": found
Na in "serum Na/K": found
Na in "serum Na- low": found
Na+ in "serum Na+ 140": found
Na+ in "serum Na 140": found
Na in "serum Na+ 140": not found
Ca in "Ca++ channels": not found
2 in "edema grade 2+": not found
C in "played in C#": not found
AB in "Dr. A.B. Roe": found
pm in "9 p.m. sharp": not found
END
