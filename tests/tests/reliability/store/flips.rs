//! Bit flips anywhere in the store.

use std::fs;
use std::thread;

use promptdeck_store::Store;

use super::{Dice, files_of, fill, path_in, repair, write_files};

#[test]
fn row_05_bit_flips_500() {
    const FLIPS: usize = 500;
    const LANES: usize = 4;
    let folder = tempfile::tempdir().expect("a folder");
    let truth = fill(
        &Store::open(&path_in(folder.path())).expect("opened").store,
        24,
    );
    let sound = files_of(folder.path());
    let (sound, truth) = (&sound, &truth);
    let flip_some = |lane: u64| {
        let mut dice = Dice(0xfeed_f00d * lane);
        let (mut reported, mut lost) = (0, 0);
        for flip in 0..FLIPS / LANES {
            let case = tempfile::tempdir().expect("a folder");
            write_files(case.path(), sound);
            let path = path_in(case.path());
            let mut bytes = fs::read(&path).expect("read");
            let place = dice.below(bytes.len());
            bytes[place] ^= 1 << dice.below(8);
            fs::write(&path, &bytes).expect("written");
            let repaired = repair(case.path(), truth, &format!("flip {flip} at {place}"));
            assert!(
                repaired.missing <= 1,
                "one bit at {place} costs one content"
            );
            reported += usize::from(repaired.reported);
            lost += repaired.missing;
        }
        (reported, lost)
    };
    let (reported, lost) = thread::scope(|scope| {
        let lanes: Vec<_> = (1..=LANES as u64)
            .map(|lane| scope.spawn(move || flip_some(lane)))
            .collect();
        let ended = lanes.into_iter().map(|lane| lane.join().expect("ended"));
        ended.fold((0, 0), |sum, lane| (sum.0 + lane.0, sum.1 + lane.1))
    });
    assert!(reported > FLIPS / 2, "{reported}");
    println!(
        "{FLIPS} flips: {reported} reported and repaired, {lost} snapshots lost, all others as they \
         were written"
    );
}
