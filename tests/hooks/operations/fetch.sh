# why: no hook runs at all
git fetch -q
git fetch -q origin main:another
