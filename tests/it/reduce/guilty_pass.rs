//! The guilty pass before the reduction is the guilty pass after it.

use super::{LONG, instructions, reduce};
use crate::common::Files;

/// Two wrong passes: `first` breaks a product if a wide value exists, `second` breaks any sum. The script counts
/// passes as `-opt-bisect-limit` does, `simplify` once for each phi.
const TWO_WRONG: &str = "\
limit=-1; passes=first,second
for word; do case $word in
  -opt-bisect-limit=*) limit=${word#*=}; tell=1;;
  -passes=*) passes=${word#*=};;
  *) file=$word;;
esac; done
script='s/none/none/'; n=0
step() {
  n=$((n + 1))
  if [ $limit -lt 0 ] || [ $n -le $limit ]; then script=\"$script;$2\"; not=; else not='NOT '; fi
  if [ \"$tell$COUNTS\" = 11 ]; then echo \"BISECT: ${not}running pass ($n) $1 on f\" >&2; fi
}
for phi in $(grep -o ' phi ' \"$file\"); do step simplify 's/none/none/'; done
for pass in $(echo $passes | tr , ' '); do case $pass in
  first) if grep -q ' sext ' \"$file\"; then step first 's/= mul \\(.*\\), 3$/= mul \\1, 5/'; fi;;
  second) step second 's/= add nsw \\(.*\\), 1$/= add \\1, 2/';;
esac; done
sed \"$script\" \"$file\"";

/// The guilty pass before the reduction is the guilty pass after it.
#[test]
fn the_guilty_pass_stays_the_same() {
    for (counts, command, guilty, kept) in [
        ("0", "./opt -passes=first,second", "first, 1 of 2", " sext "),
        ("0", "./opt -passes=none,second,first", "second, 2 of 3", "add nsw"),
        ("1", "./opt", "first, 4 of 5", " sext "),
    ] {
        let files = Files::with_script(LONG, &format!("COUNTS={counts}\n{TWO_WRONG}"));
        let answer = reduce(&files, &["--opt", command, "-o", "small.ll", "--issue", "issue.md"]).exits(0);
        let answer = answer.says(&format!("guilty, and kept so: {guilty}\n"));
        let name = guilty.split(',').next().expect("a name");
        let answer = answer.says(&format!("guilty, as at first: {name}\n"));
        let small = files.read("small.ll");
        assert!(small.contains(kept) && instructions(&small) <= 4, "{command}: {small}\n{}", answer.stderr);
        let issue = files.read("issue.md");
        assert!(issue.contains(&format!("Guilty, by bisection: {name}.\n")), "{issue}");
        files
            .backedge(&format!("bisect small.ll --opt '{command}'"))
            .exits(1)
            .prints(&format!("guilty: {name} on @f"));
    }
    // If no pass can be blamed, this is reported.
    let odd = "[ \"$1\" = --version ] && exit 1; [ -e ran ] && exec cat \"$2\"; touch ran; sed 's/, 3$/, 5/' \"$2\"";
    let files = Files::with_script(LONG, odd);
    reduce(&files, &["--opt", "./opt -passes=first,second", "-o", "small.ll"])
        .exits(2)
        .says("guilty pass: unknown; it may change during the reduction");
}

/// A single pass is necessarily the guilty one; no search is made.
#[test]
fn a_pass_alone_is_not_searched_for() {
    let files = Files::with_script(LONG, &format!("echo \"$*\" >> said\n{TWO_WRONG}"));
    let answer =
        reduce(&files, &["--opt", "./opt -passes=second", "-o", "small.ll", "--max-tries", "9"]).exits(0);
    assert!(!answer.stderr.contains("guilty") && !files.read("said").contains("bisect"), "{}", answer.stderr);
}
