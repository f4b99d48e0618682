# why: the older word for switch
# says: sched: next work/b (60 min): Do b
git checkout -q -b other origin/main
