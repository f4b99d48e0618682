# why: as with merge --continue
echo mine >notes.txt && git commit -q -a -m Mine
git merge origin/clash && exit 1
echo both >notes.txt && git commit -q -a -m Both
