//! Chat templates: what `apply_chat_template` of transformers gives, and many conversations at once.

use std::fs::File;
use std::hash::{Hash, Hasher};
use std::io::Read as _;
use std::path::Path;
use std::slice::from_ref;

use promptdeck_chat::Request;
use promptdeck_chat::model_metadata::ModelMetadata;
use promptdeck_core::registry::read_json_object;
use promptdeck_jinja::{Moment, Template};
use promptdeck_model::model_dir::{self, ModelError};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyBool, PyDict, PyList, PyString, PyTuple};
use serde_json::{Map, Value, json};

use crate::batch::{self, OnError};
use crate::convert::{self, Place, text_of, text_of_argument};
use crate::fault::{Fault, Raised, unreadable};
use crate::message_columns::MessageInput;
use crate::messages::{self, Messages};
use crate::path::path_of;
use crate::pickle::{self, Kind};
use crate::result_columns::answered;
use crate::state_warnings::warn_of;
use crate::template_arguments;
use crate::work;

/// A chat template with the special tokens of its model.
///
/// Renders byte for byte what transformers renders. Never changes; threads may share it.
#[pyclass(frozen, eq, hash, module = "promptdeck")]
pub struct ChatTemplate {
    template: Template,
    source: String,
    bos_token: Option<String>,
    eos_token: Option<String>,
    /// The names of the variables that it reads.
    reads: Vec<String>,
    /// Whether it may ask for the time. The clock of Python takes as long as a short rendering.
    may_ask_time: bool,
}

impl PartialEq for ChatTemplate {
    fn eq(&self, other: &Self) -> bool {
        self.parts() == other.parts()
    }
}

impl Hash for ChatTemplate {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.parts().hash(state);
    }
}

#[pymethods]
impl ChatTemplate {
    /// Compiles the source of a template.
    #[staticmethod]
    #[pyo3(signature = (source, *, bos_token=None, eos_token=None))]
    fn from_source(
        py: Python<'_>,
        source: &Bound<'_, PyString>,
        bos_token: Option<&Bound<'_, PyString>>,
        eos_token: Option<&Bound<'_, PyString>>,
    ) -> PyResult<Self> {
        let source = text_of(source, Place::Root, Raised::Chat)?.to_owned();
        let bos_token = text_of_argument("bos_token", bos_token, Raised::Chat)?;
        let eos_token = text_of_argument("eos_token", eos_token, Raised::Chat)?;
        let (bos_token, eos_token) = (bos_token.map(str::to_owned), eos_token.map(str::to_owned));
        work::detached(py, || Self::compiled(source, bos_token, eos_token))
    }

    /// Reads the template of a model folder, as it is on the hub: `chat_template.jinja` or
    /// `tokenizer_config.json`.
    #[staticmethod]
    fn from_dir(py: Python<'_>, path: &Bound<'_, PyAny>) -> PyResult<Self> {
        let path = path_of(path, Raised::Chat)?;
        // The reader takes a path that is missing as the name of a model, and any text as a template.
        std::fs::read_dir(&path).map_err(|error| unreadable(&path, &error))?;
        Self::from_model(py, &path, model_dir::read)
    }

    /// Reads the template of a GGUF file.
    #[staticmethod]
    fn from_gguf(py: Python<'_>, path: &Bound<'_, PyAny>) -> PyResult<Self> {
        let path = path_of(path, Raised::Chat)?;
        let readable = File::open(&path).and_then(|mut file| file.read(&mut [0]));
        readable.map_err(|error| unreadable(&path, &error))?;
        Self::from_model(py, &path, model_dir::read_gguf)
    }

    /// Restores a template from the JSON of `to_json`.
    #[staticmethod]
    pub(crate) fn from_json(py: Python<'_>, text: &Bound<'_, PyString>) -> PyResult<Self> {
        let text = text_of(text, Place::Root, Raised::Chat)?;
        work::detached(py, || {
            let read = read_json_object(text.as_bytes(), "a chat template");
            let (parts, _) = read.map_err(|error| Fault {
                raised: Raised::Chat,
                ..error.into()
            })?;
            let part = |name: &str| parts.get(name)?.as_str().map(str::to_owned);
            let source = part("source").ok_or_else(|| {
                let message = "a chat template in JSON needs a text \"source\"";
                Fault::new(Raised::Chat, "wrong_type", message).at("/source")
            })?;
            Self::compiled(source, part("bos_token"), part("eos_token"))
        })
    }

    /// The text of a conversation, as `apply_chat_template` of transformers gives it with
    /// `tokenize=False`.
    #[pyo3(signature = (
        conversation, tools=None, documents=None, *, add_generation_prompt=false,
        continue_final_message=None, tokenize=false, now=None, **template_kwargs
    ))]
    fn apply_chat_template<'py>(
        &self,
        py: Python<'py>,
        conversation: &Bound<'py, PyAny>,
        tools: Option<&Bound<'py, PyAny>>,
        documents: Option<&Bound<'py, PyAny>>,
        add_generation_prompt: bool,
        continue_final_message: Option<&Bound<'py, PyAny>>,
        tokenize: bool,
        now: Option<&Bound<'py, PyAny>>,
        template_kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if tokenize {
            return Err(template_arguments::tokenizing("tokenize").into());
        }
        let mut request = self.request(py, tools, documents, now, template_kwargs)?;
        request.add_generation_prompt = add_generation_prompt;
        request.continue_field = continued(continue_final_message)?;
        let several = conversations(conversation)?;
        let (mut messages, mut texts) = (Messages::default(), Vec::new());
        for conversation in several.as_deref().unwrap_or(from_ref(conversation)) {
            let text = match &request.continue_field {
                None => {
                    let messages = messages.values(conversation, &request)?;
                    work::detached(py, || Ok(request.render_values(&self.template, messages)?))?
                }
                Some(_) => {
                    request.messages = messages::json(conversation)?;
                    work::detached(py, || Ok(request.render(&self.template)?))?
                }
            };
            texts.push(PyString::new(py, &text).into_any());
        }
        match several {
            Some(_) => Ok(PyList::new(py, texts)?.into_any()),
            None => Ok(texts.swap_remove(0)),
        }
    }

    /// The texts of many conversations: a column of JSON texts, or one of lists of structs, whose
    /// null fields are missing keys.
    #[pyo3(signature = (
        *, messages_json=None, messages=None, tools=None, documents=None, add_generation_prompt=false,
        continue_final_message=None, now=None, on_error="raise", threads=None, **template_kwargs
    ))]
    fn render_batch<'py>(
        &self,
        py: Python<'py>,
        messages_json: Option<&Bound<'py, PyAny>>,
        messages: Option<&Bound<'py, PyAny>>,
        tools: Option<&Bound<'py, PyAny>>,
        documents: Option<&Bound<'py, PyAny>>,
        add_generation_prompt: bool,
        continue_final_message: Option<&Bound<'py, PyAny>>,
        now: Option<&Bound<'py, PyAny>>,
        on_error: &str,
        threads: Option<&Bound<'py, PyAny>>,
        template_kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let on_error = OnError::named(on_error)?;
        let column = MessageInput::read(messages_json, messages)?;
        let mut request = self.request(py, tools, documents, now, template_kwargs)?;
        request.add_generation_prompt = add_generation_prompt;
        request.continue_field = continued(continue_final_message)?;
        let threads = work::threads(py, threads)?;
        let make = || request.clone();
        let answers = batch::run(
            py,
            column.len(),
            threads,
            on_error,
            make,
            |request, row, text| {
                request.messages = column.get(row)?;
                text.push_str(&request.render(&self.template)?);
                Ok(())
            },
        )?;
        answered(py, answers, on_error)
    }

    /// The source of the template.
    #[getter]
    fn source(&self) -> &str {
        &self.source
    }

    /// The token that texts begin with, if the model names one.
    #[getter]
    fn bos_token(&self) -> Option<&str> {
        self.bos_token.as_deref()
    }

    /// The token that texts end with, if the model names one.
    #[getter]
    fn eos_token(&self) -> Option<&str> {
        self.eos_token.as_deref()
    }

    /// The template and its tokens as JSON text.
    fn to_json(&self) -> String {
        let Self {
            source,
            bos_token,
            eos_token,
            ..
        } = self;
        json!({"source": source, "bos_token": bos_token, "eos_token": eos_token}).to_string()
    }

    fn __repr__(&self) -> String {
        format!("<promptdeck.ChatTemplate of {} bytes>", self.source.len())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        pickle::reduced(py, Kind::ChatTemplate, self.to_json())
    }
}

impl ChatTemplate {
    /// Everything that it was made of.
    fn parts(&self) -> (&str, Option<&str>, Option<&str>) {
        (&self.source, self.bos_token(), self.eos_token())
    }

    fn compiled(
        source: String,
        bos_token: Option<String>,
        eos_token: Option<String>,
    ) -> Result<Self, Fault> {
        let template = Template::compile(&source)?;
        Ok(Self {
            reads: template.reads(),
            template,
            may_ask_time: source.contains("strftime_now"),
            source,
            bos_token,
            eos_token,
        })
    }

    fn from_model(
        py: Python<'_>,
        path: &Path,
        read: fn(&Path) -> Result<ModelMetadata, ModelError>,
    ) -> PyResult<Self> {
        work::detached(py, || {
            let ModelMetadata {
                template,
                bos_token,
                eos_token,
                ..
            } = read(path)?;
            let source = template.ok_or_else(|| {
                let message = format!("{} has no chat template", path.display());
                Fault::new(Raised::Chat, "no_template", message)
            })?;
            Self::compiled(source, bos_token, eos_token)
        })
    }

    /// Everything a rendering depends on but the messages.
    fn request(
        &self,
        py: Python<'_>,
        tools: Option<&Bound<'_, PyAny>>,
        documents: Option<&Bound<'_, PyAny>>,
        now: Option<&Bound<'_, PyAny>>,
        template_kwargs: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Request> {
        let root = Place::Root;
        let mut extra = match template_kwargs {
            Some(extra) => {
                let extra = template_arguments::without_tokenizing(extra)?;
                convert::object(&extra, root, Raised::Chat)?
            }
            None => Map::new(),
        };
        template_arguments::check_names(extra.keys(), &self.reads)?;
        warn_of(py, template_arguments::misspelled(&extra, &self.reads))?;
        if let Some(documents) = template_arguments::dictionaries("documents", documents)? {
            extra.insert("documents".to_owned(), documents);
        }
        // As in transformers, an argument goes before the token of the model.
        let mut token = |name: &str, model_token: &Option<String>| match extra.shift_remove(name) {
            Some(Value::String(token)) => Some(token),
            Some(_) => None,
            None => model_token.clone(),
        };
        Ok(Request {
            bos_token: token("bos_token", &self.bos_token),
            eos_token: token("eos_token", &self.eos_token),
            tools: template_arguments::dictionaries("tools", tools)?,
            extra,
            now: self.moment(py, now)?,
            ..Request::default()
        })
    }

    /// The clock of a rendering: the given `datetime`, otherwise the local time.
    fn moment(&self, py: Python<'_>, now: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Moment>> {
        let now = match now.filter(|now| !now.is_none()) {
            Some(now) if now.hasattr("microsecond")? && now.hasattr("year")? => now.clone(),
            Some(now) => return Err(convert::wrong_argument("now", "a datetime", now)),
            None if !self.may_ask_time => return Ok(None),
            None => py
                .import("datetime")?
                .getattr("datetime")?
                .call_method0("now")?,
        };
        let part = |name: &str| now.getattr(name);
        let date = (
            part("year")?.extract()?,
            part("month")?.extract()?,
            part("day")?.extract()?,
        );
        let time = (
            part("hour")?.extract()?,
            part("minute")?.extract()?,
            part("second")?.extract()?,
        );
        Ok(Moment::new(date, time, part("microsecond")?.extract()?))
    }
}

/// The field of the final message that is continued.
fn continued(given: Option<&Bound<'_, PyAny>>) -> PyResult<Option<String>> {
    let Some(given) = given.filter(|given| !given.is_none()) else {
        return Ok(None);
    };
    if let Ok(flag) = given.cast::<PyBool>() {
        return Ok(flag.is_true().then(|| "content".to_owned()));
    }
    if let Ok(field) = given.cast::<PyString>() {
        let field = text_of_argument("continue_final_message", Some(field), Raised::Chat)?;
        return Ok(field.map(str::to_owned));
    }
    let expected = "True, False or the name of a field";
    Err(convert::wrong_argument(
        "continue_final_message",
        expected,
        given,
    ))
}

/// The conversations of a list of conversations; none for a single one.
fn conversations<'py>(given: &Bound<'py, PyAny>) -> PyResult<Option<Vec<Bound<'py, PyAny>>>> {
    let Ok(items) = given.cast::<PyList>() else {
        return Ok(None);
    };
    let nested = !items.is_empty() && items.get_item(0)?.is_instance_of::<PyList>();
    Ok(nested.then(|| items.iter().collect()))
}
