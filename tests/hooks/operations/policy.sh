# why: another policy may choose otherwise
# says: sched: next work/a (30 min): Do a
git merge -q origin/policy
