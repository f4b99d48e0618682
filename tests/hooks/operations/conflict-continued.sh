# why: no hook sees the commit that ends a conflict
echo mine >notes.txt && git commit -q -a -m Mine
git merge origin/clash && exit 1
echo both >notes.txt && git add notes.txt
git merge --continue
