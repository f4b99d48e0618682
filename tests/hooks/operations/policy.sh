# why: another policy may choose otherwise
# says: sched: next a (30 min): Do a
git merge -q origin/policy
