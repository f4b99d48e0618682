# why: a rebase is under way
echo mine >notes.txt && git commit -q -a -m Mine
git rebase origin/clash && exit 1
git checkout -q --force -B other origin/main
