#!/usr/bin/env bash
# Taskwarrior and Timewarrior take a day of a week of 2026 for the same day of the next week.
#
# Expected: 2026-W10-4, the Thursday of the tenth week as ISO 8601 writes it and Taskwarrior's manual lists it, is 5
# March, as dateutils has it.
# Seen with Taskwarrior 2.6.2, Timewarrior 1.4.3 and dateutils 0.4.10 (Debian 12): it is 12 March, in 2026 and in other
# years that begin on a Thursday (2009, 2015), while 2020 to 2025 are right. A week without a day begins on the Sunday
# before it. A task is due a week late, and hours are booked in the wrong week.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends taskwarrior=2.6.2+dfsg-1 timewarrior=1.4.3+ds.1-2 dateutils=0.4.10-1 > install.txt 2>&1 || { cat install.txt; exit 1; }
dpkg-query -W taskwarrior timewarrior dateutils
export TZ=UTC TASKDATA=$folder/task TASKRC=$folder/taskrc TIMEWARRIORDB=$folder/time
mkdir task time
printf 'verbose=nothing\n' > taskrc
touch time/timewarrior.cfg
{
  for year in 2009 2015 2020 2023 2024 2025 2026; do
    echo "$year-W10-4: task $(task calc "$year-W10-4"), dateutils $(dateutils.dconv "$year-W10-04" -f %F)"
  done
  echo "2026-W10: task $(task calc 2026-W10)"
  printf 'yes\nyes\n' | timew track 2026-W10-4T09:00 - 2026-W10-4T10:00 plan 2>&1 | grep Started
} > seen.txt
cat seen.txt
diff seen.txt - <<'END'
2009-W10-4: task 2009-03-12T00:00:00, dateutils 2009-03-05
2015-W10-4: task 2015-03-12T00:00:00, dateutils 2015-03-05
2020-W10-4: task 2020-03-05T00:00:00, dateutils 2020-03-05
2023-W10-4: task 2023-03-09T00:00:00, dateutils 2023-03-09
2024-W10-4: task 2024-03-07T00:00:00, dateutils 2024-03-07
2025-W10-4: task 2025-03-06T00:00:00, dateutils 2025-03-06
2026-W10-4: task 2026-03-12T00:00:00, dateutils 2026-03-05
2026-W10: task 2026-03-08T00:00:00
  Started 2026-03-12T09:00:00
END
