# why: a branch that begins here moves nothing
git switch -q -c other
git checkout -q -b another
