# why: post-commit alone would see it
git merge -q origin/quiet
git revert --no-edit HEAD
