# why: a pull that makes a merge commit
# says: sched: next work/b (60 min): Do b
# says: sched: this merge finished 1 task and freed 1: work/b
echo mine >mine.txt && git add mine.txt && git commit -q -m Mine
git pull -q --no-rebase --no-edit
