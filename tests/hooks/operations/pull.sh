# why: a pull that fast-forwards
# says: sched: next b (60 min): Do b
# says: sched: this merge finished 1 task and freed 1: b
git pull -q
