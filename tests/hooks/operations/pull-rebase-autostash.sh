# why: what the work tree holds plays no part
# says: sched: next work/b (60 min): Do b
# says: sched: this rebase finished 1 task and freed 1: work/b
echo mine >mine.txt && git add mine.txt && git commit -q -m Mine
echo changed >notes.txt
git pull -q --rebase --autostash
test "$(cat notes.txt)" = changed
