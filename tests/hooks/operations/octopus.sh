# why: a merge of two branches at once
# says: sched: next work/b (60 min): Do b
# says: sched: this merge finished 1 task and freed 1: work/b
echo mine >mine.txt && git add mine.txt && git commit -q -m Mine
git merge -q --no-edit origin/main origin/quiet
