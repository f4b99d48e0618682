# why: ORIG_HEAD is stale when nothing moves
git merge -q origin/main >first.txt 2>&1 && rm first.txt
git pull
