# why: post-rewrite runs, with amend; ORIG_HEAD is that of an older merge
git merge -q origin/quiet
git checkout -q origin/main -- .metagit
git commit -q --amend -a -m Amended
