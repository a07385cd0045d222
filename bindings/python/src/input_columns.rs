//! Columns from a caller, by the Arrow `PyCapsule` interface: texts and integers of any producer. Lists
//! of Python do as well, for callers without Arrow.

use arrow_array::builder::LargeStringBuilder;
use arrow_array::cast::AsArray;
use arrow_array::types::{Int64Type, UInt64Type};
use arrow_array::{
    Array, ArrayRef, Int64Array, LargeStringArray, StringArray, StringViewArray, UInt64Array,
    new_null_array,
};
use arrow_schema::DataType;
use promptdeck_core::hydrate::Seed;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyList, PyMapping, PyRange, PySequence, PyString, PyTuple};
use pyo3_arrow::input::AnyArray;
use serde_json::Number;

use crate::convert::{Place, integer_of, text_of, wrong, wrong_argument};
use crate::fault::{Fault, Raised};
use crate::state::seed_of;

/// A column of texts in one of the forms that Arrow has.
pub enum Texts {
    Small(StringArray),
    Large(LargeStringArray),
    View(StringViewArray),
}

/// A column of texts from a caller.
pub struct TextInput {
    name: &'static str,
    chunks: Vec<Texts>,
    /// The row after each chunk.
    ends: Vec<usize>,
}

/// A column of seeds from a caller.
pub enum SeedInput {
    /// Integers of an Arrow column.
    Column {
        /// Its chunks.
        chunks: Vec<Integers>,
        /// The row after each chunk.
        ends: Vec<usize>,
    },
    /// A range of Python.
    Range {
        /// The first seed.
        start: i128,
        /// The difference of two seeds.
        step: i128,
        /// How many there are.
        count: usize,
    },
    /// A list of Python: a seed for each row, or why it is none.
    List(Vec<Result<Seed, Box<Fault>>>),
}

/// Integers with or without a sign.
pub enum Integers {
    Signed(Int64Array),
    Unsigned(UInt64Array),
}

/// The chunk of a row, and the row in it.
pub fn chunk_of(ends: &[usize], row: usize) -> (usize, usize) {
    let chunk = ends.partition_point(|end| *end <= row);
    let start = chunk.checked_sub(1).map_or(0, |before| ends[before]);
    (chunk, row - start)
}

/// The row after each chunk.
pub fn ends<'a>(lengths: impl Iterator<Item = usize> + 'a) -> Vec<usize> {
    lengths
        .scan(0, |end, length| {
            *end += length;
            Some(*end)
        })
        .collect()
}

/// The chunks of an Arrow column, checked: what a producer passes is not trusted.
pub fn chunks(name: &str, column: &Bound<'_, PyAny>) -> PyResult<Option<Vec<ArrayRef>>> {
    let is_arrow = column.hasattr("__arrow_c_array__")? || column.hasattr("__arrow_c_stream__")?;
    if !is_arrow {
        return Ok(None);
    }
    let read = column.extract::<AnyArray>()?.into_chunked_array();
    let (chunks, _) = read.map_err(PyErr::from)?.into_inner();
    for chunk in &chunks {
        chunk.to_data().validate_full().map_err(|error| {
            let message = format!("{name}: not a valid Arrow column: {error}");
            Fault::new(Raised::Column, "invalid_column", message)
        })?;
    }
    Ok(Some(chunks))
}

fn wrong_column(name: &str, expected: &str, found: &DataType) -> Fault {
    let message = format!("{name}: expected a column of {expected}, found one of {found}");
    Fault::new(Raised::Column, "wrong_column", message).at(format!("/{name}"))
}

/// The fault of a row that is null.
pub fn null_row(name: &str) -> Fault {
    Fault::new(
        Raised::Column,
        "null",
        format!("{name}: null, which is not a value"),
    )
    .at(format!("/{name}"))
}

/// An array as another type.
pub fn cast(name: &str, array: &dyn Array, to: &DataType) -> Result<ArrayRef, Fault> {
    arrow_cast::cast(array, to).map_err(|error| {
        let message = format!("{name}: {error}");
        Fault::new(Raised::Column, "wrong_column", message).at(format!("/{name}"))
    })
}

impl TextInput {
    /// Reads a column of texts, or a list of them.
    pub fn read(name: &'static str, column: &Bound<'_, PyAny>) -> PyResult<Self> {
        let chunks = match chunks(name, column)? {
            Some(chunks) => {
                let chunks = chunks.iter().map(|chunk| texts(name, chunk));
                chunks.collect::<Result<Vec<_>, Fault>>()?
            }
            None => vec![Texts::Large(list_of_texts(name, column)?)],
        };
        let lengths = chunks.iter().map(|chunk| match chunk {
            Texts::Small(array) => array.len(),
            Texts::Large(array) => array.len(),
            Texts::View(array) => array.len(),
        });
        Ok(Self {
            name,
            ends: ends(lengths),
            chunks,
        })
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.ends.last().copied().unwrap_or_default()
    }

    /// The text of a row.
    pub fn get(&self, row: usize) -> Result<&str, Fault> {
        let (chunk, row) = chunk_of(&self.ends, row);
        let text = self.chunks[chunk].get(row);
        text.ok_or_else(|| null_row(self.name))
    }
}

impl Texts {
    /// The text of a row; none for a null.
    pub fn get(&self, row: usize) -> Option<&str> {
        match self {
            Self::Small(array) => array.is_valid(row).then(|| array.value(row)),
            Self::Large(array) => array.is_valid(row).then(|| array.value(row)),
            Self::View(array) => array.is_valid(row).then(|| array.value(row)),
        }
    }
}

impl Integers {
    /// The integer of a row; none for a null.
    pub fn get(&self, row: usize) -> Option<i128> {
        match self {
            Self::Signed(array) => array.is_valid(row).then(|| array.value(row).into()),
            Self::Unsigned(array) => array.is_valid(row).then(|| array.value(row).into()),
        }
    }

    /// The same as a number of JSON.
    pub fn number(&self, row: usize) -> Option<Number> {
        match self {
            Self::Signed(array) => array.is_valid(row).then(|| array.value(row).into()),
            Self::Unsigned(array) => array.is_valid(row).then(|| array.value(row).into()),
        }
    }
}

/// An array of texts.
pub fn texts(name: &str, array: &ArrayRef) -> Result<Texts, Fault> {
    Ok(match array.data_type() {
        DataType::Utf8 => Texts::Small(array.as_string::<i32>().clone()),
        DataType::LargeUtf8 => Texts::Large(array.as_string::<i64>().clone()),
        DataType::Utf8View => Texts::View(array.as_string_view().clone()),
        // Categories of pandas and polars; an empty column without a type.
        DataType::Dictionary(_, values)
            if matches!(
                **values,
                DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View
            ) =>
        {
            let plain = cast(name, array, &DataType::LargeUtf8)?;
            Texts::Large(plain.as_string::<i64>().clone())
        }
        DataType::Null => {
            let nulls = new_null_array(&DataType::LargeUtf8, array.len());
            Texts::Large(nulls.as_string::<i64>().clone())
        }
        other => return Err(wrong_column(name, "texts", other)),
    })
}

fn is_list(value: &Bound<'_, PyAny>) -> bool {
    value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>()
}

/// The list of a column that is not from Arrow: a list or another sequence, or an array that makes a
/// list of itself, such as one of numpy.
fn list_of<'py>(
    name: &str,
    expected: &str,
    column: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    if is_list(column) {
        return Ok(column.clone());
    }
    let is_text = column.is_instance_of::<PyString>() || column.is_instance_of::<PyBytes>();
    if let (Ok(sequence), false) = (column.cast::<PySequence>(), is_text) {
        return Ok(sequence.to_list()?.into_any());
    }
    if column.hasattr("tolist")? {
        let list = column.call_method0("tolist")?;
        if is_list(&list) {
            return Ok(list);
        }
    }
    Err(wrong_argument(name, expected, column))
}

fn list_of_texts(name: &str, column: &Bound<'_, PyAny>) -> PyResult<LargeStringArray> {
    let list = list_of(name, "an Arrow column, a list or an array of texts", column)?;
    let mut builder = LargeStringBuilder::new();
    for (index, item) in list.try_iter()?.enumerate() {
        let item = item?;
        let root = Place::Root;
        let outer = Place::Key(&root, name);
        let place = Place::Index(&outer, index);
        match item.cast::<PyString>() {
            Ok(text) => builder.append_value(text_of(text, place, Raised::Column)?),
            Err(_) if item.is_none() => builder.append_null(),
            Err(_) => {
                let mut fault = wrong(Raised::Column, place, "a text", &item);
                if is_list(&item) || item.cast::<PyMapping>().is_ok() {
                    fault.message.push_str(", of which json.dumps makes a text");
                }
                return Err(fault.into());
            }
        }
    }
    Ok(builder.finish())
}

impl SeedInput {
    /// Reads a column, a range or a list of integers.
    pub fn read(name: &'static str, column: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Some(chunks) = chunks(name, column)? {
            let chunks = chunks.iter().map(|chunk| integers(name, chunk));
            let chunks = chunks.collect::<Result<Vec<_>, Fault>>()?;
            let lengths = chunks.iter().map(|chunk| match chunk {
                Integers::Signed(array) => array.len(),
                Integers::Unsigned(array) => array.len(),
            });
            return Ok(Self::Column {
                ends: ends(lengths),
                chunks,
            });
        }
        if column.is_instance_of::<PyRange>() {
            return Self::range(name, column);
        }
        let expected = "an Arrow column, a range, a list or an array of integers";
        let list = list_of(name, expected, column)?;
        let mut seeds = Vec::with_capacity(list.len()?);
        for (index, item) in list.try_iter()?.enumerate() {
            let item = item?;
            let root = Place::Root;
            let outer = Place::Key(&root, name);
            let place = Place::Index(&outer, index);
            let seed = match integer_of(&item) {
                Some(number) => seed_of(&number),
                None if item.is_none() => Err(null_row(name)),
                None => return Err(wrong(Raised::Column, place, "an integer", &item).into()),
            };
            seeds.push(seed.map_err(Box::new));
        }
        Ok(Self::List(seeds))
    }

    fn range(name: &str, range: &Bound<'_, PyAny>) -> PyResult<Self> {
        let part = |name: &str| {
            let number = range.getattr(name)?;
            let number = number.cast::<PyInt>()?;
            // What does not fit is no seed.
            number
                .extract::<i128>()
                .map_err(|error| seed_of(number).err().map_or(error, PyErr::from))
        };
        let count = range.len().map_err(|_| {
            let message = format!("{name}: more rows than a batch has: split it");
            Fault::new(Raised::Column, "too_many_rows", message)
        })?;
        Ok(Self::Range {
            start: part("start")?,
            step: part("step")?,
            count,
        })
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Column { ends, .. } => ends.last().copied().unwrap_or_default(),
            Self::Range { count, .. } => *count,
            Self::List(seeds) => seeds.len(),
        }
    }

    /// The seed of a row.
    pub fn get(&self, row: usize) -> Result<Seed, Fault> {
        let number = match self {
            Self::Column { chunks, ends } => {
                let (chunk, row) = chunk_of(ends, row);
                chunks[chunk].get(row)
            }
            Self::Range { start, step, .. } => {
                Some(start.saturating_add(step.saturating_mul(row as i128)))
            }
            Self::List(seeds) => return seeds[row].clone().map_err(|fault| *fault),
        };
        let number = number.ok_or_else(|| null_row("seeds"))?;
        // Out of range, the reader of texts says so.
        u64::try_from(number)
            .ok()
            .and_then(|number| Seed::new(number).ok())
            .map_or_else(|| number.to_string().parse(), Ok)
            .map_err(Fault::from)
    }
}

/// An array of integers.
pub fn integers(name: &str, array: &ArrayRef) -> Result<Integers, Fault> {
    use DataType::{Int8, Int16, Int32, Int64, Null, UInt8, UInt16, UInt32, UInt64};
    match array.data_type() {
        Int8 | Int16 | Int32 | Int64 | Null => {
            let wide = cast(name, array, &Int64)?;
            Ok(Integers::Signed(wide.as_primitive::<Int64Type>().clone()))
        }
        UInt8 | UInt16 | UInt32 | UInt64 => {
            let wide = cast(name, array, &UInt64)?;
            Ok(Integers::Unsigned(
                wide.as_primitive::<UInt64Type>().clone(),
            ))
        }
        other => Err(wrong_column(name, "integers", other)),
    }
}
