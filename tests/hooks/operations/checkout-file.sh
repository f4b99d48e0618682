# why: post-checkout runs with flag 0
git checkout -q origin/main -- .metagit
