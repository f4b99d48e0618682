# why: the merge takes the last task file away
# says: sched: nothing to schedule: no task files here
git checkout -q -b gone && git rm -q -r .metagit && git commit -q -m Gone
git checkout -q -b back start >first.txt 2>&1 && rm first.txt
git merge -q --ff-only gone
