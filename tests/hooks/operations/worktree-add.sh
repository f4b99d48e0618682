# why: post-checkout runs with an old commit of zeros
git worktree add -q -b another "$ROOT/another" origin/main
