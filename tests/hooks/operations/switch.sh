# why: another branch is another state; a switch finishes nothing
# says: sched: next b (60 min): Do b
# says: sched: next a (30 min): Do a
git switch -q -c other --track origin/main
git switch -q -
