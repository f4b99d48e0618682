# why: the rebase brings no change of a task file
echo mine >mine.txt && git add mine.txt && git commit -q -m Mine
git rebase -q origin/quiet
