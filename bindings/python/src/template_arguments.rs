//! The arguments of `apply_chat_template` of transformers: what is not supported is refused, and so is
//! a name that is probably misspelled. Others are variables of the template.

use promptdeck_chat::request::THINKING_SWITCHES;
use promptdeck_chat::unread::{self, Reads, Tokens, UnreadVariable};
use promptdeck_json::WrongValue;
use promptdeck_json::nearest::{hint, nearest};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use serde_json::{Map, Value};

use crate::convert::{self, Place};
use crate::fault::{Fault, Raised};

/// The argument of transformers that renders another template.
const OTHER_TEMPLATE: &str = "chat_template";

/// The arguments of transformers that make tokens of the text, and that say in which form.
const OF_TOKENS: [&str; 8] = [
    "tokenize",
    "return_dict",
    "return_tensors",
    "return_assistant_tokens_mask",
    "padding",
    "truncation",
    "max_length",
    "tokenizer_kwargs",
];

/// The arguments that are read. `now` is not among them: short names are near to too many.
const ARGUMENTS: [&str; 8] = [
    "messages",
    "messages_json",
    "tools",
    "documents",
    "add_generation_prompt",
    "continue_final_message",
    "on_error",
    "threads",
];

/// The variables of the template among further arguments: without those for tokens, of which none may
/// ask for anything.
pub fn without_tokenizing<'py>(given: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyDict>> {
    let variables = given.copy()?;
    if let Some(template) = given.get_item(OTHER_TEMPLATE)? {
        if !template.is_none() {
            let message = "chat_template: this object renders its own template; compile the other \
                 one, ChatTemplate.from_source(chat_template)";
            return Err(Fault::new(Raised::Chat, "wrong_argument", message).into());
        }
        variables.del_item(OTHER_TEMPLATE)?;
    }
    for name in OF_TOKENS {
        let Some(value) = given.get_item(name)? else {
            continue;
        };
        if value.is_truthy()? {
            return Err(tokenizing(name).into());
        }
        variables.del_item(name)?;
    }
    Ok(variables)
}

/// The fault of an argument that asks for tokens.
pub fn tokenizing(name: &str) -> Fault {
    let message = format!(
        "{name} is not supported: the result is a text; give it to the tokenizer, with \
         add_special_tokens=False"
    );
    Fault::new(Raised::Chat, "wrong_argument", message)
}

/// Refuses a name that is nearly that of an argument, unless the template reads it. Messages have
/// arguments of their own, and each method names them otherwise.
pub fn check_names<'a>(
    names: impl Iterator<Item = &'a String>,
    reads: &[String],
) -> Result<(), Fault> {
    // A search for the nearest name takes longer than a short rendering, and thinking is switched for
    // templates that do not read it, too.
    let is_known =
        |name: &&String| reads.contains(name) || THINKING_SWITCHES.contains(&name.as_str());
    for name in names.filter(|name| *name == "messages" || !is_known(name)) {
        let known = ARGUMENTS
            .into_iter()
            .chain(OF_TOKENS)
            .chain([OTHER_TEMPLATE]);
        let message = match nearest(name, known) {
            None => continue,
            Some(same) if same == name => format!("{name} is not an argument of this method"),
            Some(near) => format!(
                "{name}: neither an argument nor a variable of the template{}",
                hint(Some(near))
            ),
        };
        return Err(Fault::new(Raised::Chat, "unknown_argument", message));
    }
    Ok(())
}

/// Warnings about variables that a template does not read and that are nearly those that it reads. Others
/// may be for other templates.
pub fn misspelled(variables: &Map<String, Value>, reads: &[String]) -> Vec<Fault> {
    let tokens = Tokens {
        bos: None,
        eos: None,
    };
    let unread = unread::variables(variables, tokens, Reads::Template(reads)).into_iter();
    let misspelled = unread.filter(|unread| unread.nearest().is_some());
    let fault =
        |unread: UnreadVariable| Fault::new(Raised::Chat, "unread_variable", unread.sentence());
    misspelled.map(fault).collect()
}

/// Tools or documents, which are lists of dictionaries.
pub fn dictionaries(name: &str, given: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Value>> {
    let Some(given) = given.filter(|given| !given.is_none()) else {
        return Ok(None);
    };
    if !given.is_instance_of::<PyList>() && !given.is_instance_of::<PyTuple>() {
        return Err(convert::wrong_argument(
            name,
            "a list of dictionaries",
            given,
        ));
    }
    let value = convert::json(given, Place::Key(&Place::Root, name), Raised::Chat)?;
    let items = value.as_array().into_iter().flatten();
    match items.clone().position(|item| !item.is_object()) {
        Some(index) => {
            let pointer = format!("/{name}/{index}");
            let wrong = WrongValue::new(pointer, "a dictionary", value.get(index));
            Err(Fault::of_value(Raised::Chat, wrong).into())
        }
        None => Ok(Some(value)),
    }
}
