# why: no hook runs at all
git reset -q --hard origin/main
