# why: with every pick skipped post-rewrite still runs, where there was one
# says: sched: next work/b (60 min): Do b
# says: sched: this rebase finished 1 task and freed 1: work/b
echo mine >notes.txt && git commit -q -a -m Mine
git rebase origin/clash && exit 1
git rebase --skip
