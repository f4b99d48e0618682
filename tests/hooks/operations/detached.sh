# why: looking at a commit, as bisect does, is no change of branch
git checkout -q origin/main
