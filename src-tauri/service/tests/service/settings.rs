//! Settings of the window, over restarts and from older versions.

use crate::home::Home;
use promptdeck_service::store::Store;
use promptdeck_service::wire::{Settings, Theme};

#[test]
fn settings_written_by_an_older_version_are_read() {
    let home = Home::new();
    let older = r#"{"theme": "dark", "columns": {"assembly": 200, "preview": 500}, "wrap": false,
        "differences_only": true, "tints": {"own": 9}, "connection": null}"#;
    let opened = Store::open(&home.store()).expect("a store");
    opened.store.set_setting("window", older).expect("written");
    drop(opened);
    let (studio, _) = home.studio();
    let settings = studio.workspace().settings;
    assert!(settings.spell_check, "on unless the author switched it off");
    let expected = Settings {
        theme: Theme::Dark,
        wrap: false,
        differences_only: Some(true),
        tints: [("own".to_owned(), 9)].into(),
        columns: settings.columns,
        ..Settings::default()
    };
    assert_eq!(settings, expected);
    assert_eq!(settings.columns.map(|columns| columns.preview), Some(500));
}

#[test]
fn spell_checking_stays_switched_off() {
    let home = Home::new();
    let (studio, _) = home.studio();
    let off = Settings {
        spell_check: false,
        ..Settings::default()
    };
    studio.save_settings(&off).expect("saved");
    drop(studio);
    let (studio, _) = home.studio();
    assert_eq!(studio.workspace().settings, off);
}
