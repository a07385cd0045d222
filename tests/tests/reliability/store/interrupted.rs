//! A salvage killed at points spread over its whole duration.

use std::thread;
use std::time::{Duration, Instant};

use promptdeck_store::Store;

use super::{Running, files_of, fill, listed, path_in, write_files};

#[test]
fn a_salvage_killed_at_50_points_loses_nothing() {
    const POINTS: u32 = 50;
    let folder = tempfile::tempdir().expect("a folder");
    let truth = fill(
        &Store::open(&path_in(folder.path())).expect("opened").store,
        200,
    );
    let mut files = files_of(folder.path());
    files.get_mut("store.sqlite").expect("the store")[..100].fill(0);
    let run = |after: Option<Duration>| {
        let case = tempfile::tempdir().expect("a folder");
        write_files(case.path(), &files);
        let mut child = Running::new("open", case.path());
        child.ack().expect("it begins");
        let begun = Instant::now();
        if let Some(after) = after {
            thread::sleep(after);
            child.kill();
        }
        let ended = child.ack().is_some();
        let time = begun.elapsed();
        child.end();
        (case, ended, time)
    };
    let whole = run(None).2;
    let (mut interrupted, mut begun_again) = (0, 0);
    for point in 0..POINTS {
        let (case, ended, _) = run(Some(whole * point / POINTS));
        interrupted += u32::from(!ended);
        let path = path_in(case.path());
        let opened = Store::open(&path).expect("opened");
        begun_again += u32::from(opened.salvage.is_some());
        if let Some(salvage) = &opened.salvage {
            assert!(salvage.complete, "point {point}: {salvage}");
        }
        assert!(listed(&opened.store) == truth, "point {point}");
        assert_eq!(opened.store.problems().expect("checked"), [""; 0]);
        drop(opened);
        let remaining_files: Vec<_> = files_of(case.path())
            .into_iter()
            .filter(|(name, _)| name.contains(".damaged-"))
            .collect();
        assert_eq!(remaining_files.len(), 1, "point {point}: kept once");
        assert!(
            remaining_files[0].1 == files["store.sqlite"],
            "point {point}"
        );
        let left_over = files_of(case.path())
            .into_keys()
            .filter(|name| name.contains("part") || name.contains("salvaged"))
            .count();
        assert_eq!(left_over, 0, "point {point}");
    }
    println!(
        "{POINTS} kills over {} ms, {interrupted} in the middle, {begun_again} begun again, all \
         {} snapshots there",
        whole.as_millis(),
        truth.len()
    );
    // On a busy machine the kills are spread unevenly, but most of the work must be covered.
    assert!(interrupted > POINTS / 4, "{interrupted}");
}
