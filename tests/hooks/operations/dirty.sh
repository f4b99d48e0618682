# why: only what is committed counts, whatever the work tree holds
# says: sched: next work/b (60 min): Do b
# says: sched: this merge finished 1 task and freed 1: work/b
echo changed >notes.txt
git merge -q --autostash --no-ff --no-edit origin/main
test "$(cat notes.txt)" = changed
