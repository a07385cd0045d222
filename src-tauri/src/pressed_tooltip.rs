//! Ends the tooltip of what was pressed. GTK hides a tooltip at a press and shows it again over the menu
//! that the press opened, as the page cannot tell it of a change before the pointer moves.

use std::cell::Cell;
use std::rc::Rc;

use glib::Propagation;
use glib::signal::signal_stop_emission_by_name;
use gtk::prelude::WidgetExt as _;
use tauri::WebviewWindow;

/// How far the pointer moves, in pixels, before it points at something else.
const NEAR: f64 = 8.0;

/// Shows no tooltip from a press on until the pointer has moved away.
pub fn end_on_press(window: &WebviewWindow) {
    // Fails only for a closed window.
    drop(window.with_webview(|webview| {
        let view = webview.inner();
        let pressed: Rc<Cell<Option<(f64, f64)>>> = Rc::default();
        let place = Rc::clone(&pressed);
        view.connect_button_press_event(move |_, event| {
            place.set(Some(event.position()));
            Propagation::Proceed
        });
        view.connect_query_tooltip(move |view, x, y, _, _| {
            let is_near = pressed.get().is_some_and(|(at_x, at_y)| {
                (at_x - f64::from(x)).abs() < NEAR && (at_y - f64::from(y)).abs() < NEAR
            });
            if is_near {
                signal_stop_emission_by_name(view, "query-tooltip");
            } else {
                pressed.set(None);
            }
            false
        });
    }));
}
