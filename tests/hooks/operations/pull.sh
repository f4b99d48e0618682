# why: a pull that fast-forwards
# says: sched: next work/b (60 min): Do b
# says: sched: this merge finished 1 task and freed 1: work/b
git pull -q
