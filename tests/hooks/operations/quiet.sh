# why: the merge changes no task file
git merge -q origin/quiet
