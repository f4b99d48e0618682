# why: a merge that may only fast-forward
# says: sched: next b (60 min): Do b
# says: sched: this merge finished 1 task and freed 1: b
git merge -q --ff-only origin/main
