# why: post-merge does not run without a commit, nor with the later one
git merge -q --no-ff --no-commit origin/main
git commit -q -m Later
