# why: a merge that brings an error says so
# says: sched: next work/a (30 min): Do a
# says: sched: this merge brings 1 new error in the task files: run git sched check
git merge -q origin/broken
