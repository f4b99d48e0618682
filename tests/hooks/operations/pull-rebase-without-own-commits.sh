# why: nothing is replayed, so it is a fast-forward
# says: sched: next work/b (60 min): Do b
# says: sched: this merge finished 1 task and freed 1: work/b
git pull -q --rebase
