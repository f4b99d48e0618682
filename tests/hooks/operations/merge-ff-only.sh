# why: a merge that may only fast-forward
# says: sched: next work/b (60 min): Do b
# says: sched: this merge finished 1 task and freed 1: work/b
git merge -q --ff-only origin/main
