# why: the older way to rebase starts without a folder that says so
# says: sched: next work/b (60 min): Do b
# says: sched: this rebase finished 1 task and freed 1: work/b
echo mine >mine.txt && git add mine.txt && git commit -q -m Mine
git -c rebase.backend=apply pull -q --rebase
