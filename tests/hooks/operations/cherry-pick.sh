# why: post-commit alone would see it
git cherry-pick origin/main
