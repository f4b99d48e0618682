# why: no hook runs at all
git update-ref HEAD origin/main
