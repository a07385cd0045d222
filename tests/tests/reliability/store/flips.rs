//! Flipped bits anywhere in the store.

use std::fs;

use promptdeck_store::Store;

use super::{Dice, files_of, fill, mend, path_in, write_files};

#[test]
fn row_05_bit_flips_500() {
    const FLIPS: usize = 500;
    let folder = tempfile::tempdir().expect("a folder");
    let truth = fill(
        &Store::open(&path_in(folder.path())).expect("opened").store,
        24,
    );
    let sound = files_of(folder.path());
    let mut dice = Dice(0xfeed_f00d);
    let (mut told, mut missing, mut hit) = (0, 0, 0);
    for flip in 0..FLIPS {
        let case = tempfile::tempdir().expect("a folder");
        write_files(case.path(), &sound);
        let path = path_in(case.path());
        let mut bytes = fs::read(&path).expect("read");
        let place = dice.below(bytes.len());
        bytes[place] ^= 1 << dice.below(8);
        fs::write(&path, &bytes).expect("written");
        let mended = mend(case.path(), &truth, &format!("flip {flip} at {place}"));
        assert!(mended.missing <= 1, "one bit at {place} costs one content");
        told += usize::from(mended.told);
        missing += mended.missing;
        hit += usize::from(mended.missing > 0);
    }
    assert!(told > FLIPS / 2, "{told}");
    println!(
        "{FLIPS} flips: {told} told and mended, {hit} cost a snapshot each ({missing} of {}), \
         all others as they were written",
        FLIPS * truth.len()
    );
}
