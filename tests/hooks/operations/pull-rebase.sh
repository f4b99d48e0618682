# why: post-merge does not run; post-checkout and post-rewrite do, and one of them speaks
# says: sched: next work/b (60 min): Do b
# says: sched: this rebase finished 1 task and freed 1: work/b
echo mine >mine.txt && git add mine.txt && git commit -q -m Mine
git pull -q --rebase
