# why: the hook runs, but nothing is committed and HEAD stays
git merge --squash origin/main
git diff --cached --quiet && exit 1
git commit -q -m Squashed
