# why: another branch is another state; a switch finishes nothing
# says: sched: next work/b (60 min): Do b
# says: sched: next work/a (30 min): Do a
git switch -q -c other --track origin/main
git switch -q -
