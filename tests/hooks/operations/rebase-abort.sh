# why: a rebase that was given up changed nothing
echo mine >notes.txt && git commit -q -a -m Mine
git rebase origin/clash && exit 1
git rebase --abort
