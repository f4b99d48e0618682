# why: the other branch has the same task files
git switch -q -c other --track origin/quiet
