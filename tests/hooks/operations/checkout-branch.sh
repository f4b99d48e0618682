# why: the older word for switch
# says: sched: next b (60 min): Do b
git checkout -q -b other origin/main
