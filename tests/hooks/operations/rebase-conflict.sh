# why: a rebase that stopped speaks at its end
# says: sched: next work/b (60 min): Do b
# says: sched: this rebase finished 1 task and freed 1: work/b
echo mine >notes.txt && git commit -q -a -m Mine
git rebase origin/clash && exit 1
echo both >notes.txt && git add notes.txt
git rebase --continue
