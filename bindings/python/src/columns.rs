//! Columns by the Arrow `PyCapsule` interface: texts and integers of any producer in, texts and faults
//! out. Lists of Python do as well as columns, for callers without Arrow.

use std::sync::Arc;

use arrow_array::builder::{LargeStringBuilder, UInt32Builder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int64Type, UInt64Type};
use arrow_array::{
    Array, ArrayRef, Int64Array, LargeStringArray, StringArray, StringViewArray, StructArray,
    UInt64Array, new_null_array,
};
use arrow_buffer::NullBuffer;
use arrow_schema::{DataType, Field, FieldRef, Fields};
use promptdeck_core::hydrate::Seed;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyInt, PyList, PyRange, PyString, PyTuple};
use pyo3_arrow::ffi::{
    ArrayIterator, to_array_pycapsules, to_schema_pycapsule, to_stream_pycapsule,
};
use pyo3_arrow::input::AnyArray;

use crate::batch::{Answers, OnError};
use crate::convert::{Place, name_of, text_of, wrong};
use crate::fault::{Fault, Raised};

/// A column of texts in one of the forms that Arrow has.
enum Texts {
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
    /// A list of Python.
    List(Vec<Option<i128>>),
}

/// Integers with or without a sign.
pub enum Integers {
    Signed(Int64Array),
    Unsigned(UInt64Array),
}

/// The chunk of a row, and the row in it.
fn chunk_of(ends: &[usize], row: usize) -> (usize, usize) {
    let chunk = ends.partition_point(|end| *end <= row);
    let start = chunk.checked_sub(1).map_or(0, |before| ends[before]);
    (chunk, row - start)
}

fn ends<'a>(lengths: impl Iterator<Item = usize> + 'a) -> Vec<usize> {
    lengths
        .scan(0, |end, length| {
            *end += length;
            Some(*end)
        })
        .collect()
}

/// The chunks of an Arrow column, checked: what a producer passes is not trusted.
fn chunks(name: &str, column: &Bound<'_, PyAny>) -> PyResult<Option<Vec<ArrayRef>>> {
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

fn null_row(name: &str) -> Fault {
    Fault::new(
        Raised::Column,
        "null",
        format!("{name}: null, which is not a value"),
    )
    .at(format!("/{name}"))
}

fn cast(name: &str, array: &dyn Array, to: &DataType) -> Result<ArrayRef, Fault> {
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
        let text = match &self.chunks[chunk] {
            Texts::Small(array) => array.is_valid(row).then(|| array.value(row)),
            Texts::Large(array) => array.is_valid(row).then(|| array.value(row)),
            Texts::View(array) => array.is_valid(row).then(|| array.value(row)),
        };
        text.ok_or_else(|| null_row(self.name))
    }
}

fn texts(name: &str, array: &ArrayRef) -> Result<Texts, Fault> {
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

fn list_of_texts(name: &str, list: &Bound<'_, PyAny>) -> PyResult<LargeStringArray> {
    if !(list.is_instance_of::<PyList>() || list.is_instance_of::<PyTuple>()) {
        let message = format!(
            "{name}: expected an Arrow column or a list of texts, found {}",
            name_of(list)
        );
        return Err(Fault::new(Raised::Column, "wrong_column", message).into());
    }
    let mut builder = LargeStringBuilder::new();
    for (index, item) in list.try_iter()?.enumerate() {
        let item = item?;
        let root = Place::Root;
        let outer = Place::Key(&root, name);
        let place = Place::Index(&outer, index);
        match item.cast::<PyString>() {
            Ok(text) => builder.append_value(text_of(text, place, Raised::Column)?),
            Err(_) if item.is_none() => builder.append_null(),
            Err(_) => return Err(wrong(Raised::Column, place, "a text", &item).into()),
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
            let part = |name: &str| column.getattr(name)?.extract::<i64>().map(i128::from);
            return Ok(Self::Range {
                start: part("start")?,
                step: part("step")?,
                count: column.len()?,
            });
        }
        if !(column.is_instance_of::<PyList>() || column.is_instance_of::<PyTuple>()) {
            let message = format!(
                "{name}: expected an Arrow column, a range or a list of integers, found {}",
                name_of(column)
            );
            return Err(Fault::new(Raised::Column, "wrong_column", message).into());
        }
        let mut seeds = Vec::with_capacity(column.len()?);
        for (index, item) in column.try_iter()?.enumerate() {
            let item = item?;
            let root = Place::Root;
            let outer = Place::Key(&root, name);
            let place = Place::Index(&outer, index);
            if item.is_none() {
                seeds.push(None);
            } else if item.is_instance_of::<PyInt>() {
                // What no seed can be stays what no seed can be.
                seeds.push(Some(item.extract::<i64>().map_or(i128::MAX, i128::from)));
            } else {
                return Err(wrong(Raised::Column, place, "an integer", &item).into());
            }
        }
        Ok(Self::List(seeds))
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
                match &chunks[chunk] {
                    Integers::Signed(array) => {
                        array.is_valid(row).then(|| i128::from(array.value(row)))
                    }
                    Integers::Unsigned(array) => {
                        array.is_valid(row).then(|| i128::from(array.value(row)))
                    }
                }
            }
            Self::Range { start, step, .. } => Some(start + step * row as i128),
            Self::List(seeds) => seeds[row],
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

fn integers(name: &str, array: &ArrayRef) -> Result<Integers, Fault> {
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

/// Texts as an Arrow column of the type `large_string`.
///
/// pyarrow, polars, duckdb and pandas take it without copying: `pyarrow.array(column)`.
#[pyclass(frozen, sequence, module = "promptdeck")]
pub struct TextColumn {
    texts: LargeStringArray,
}

#[pymethods]
impl TextColumn {
    fn __len__(&self) -> usize {
        self.texts.len()
    }

    fn __getitem__(&self, index: isize) -> PyResult<Option<&str>> {
        let row = row_of(index, self.texts.len())?;
        Ok(self.texts.is_valid(row).then(|| self.texts.value(row)))
    }

    /// The texts as a list.
    fn to_pylist(&self) -> Vec<Option<&str>> {
        self.texts.iter().collect()
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        Ok(to_array_pycapsules(
            py,
            self.field(),
            &self.texts,
            requested_schema,
        )?)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        stream(
            py,
            Arc::new(self.texts.clone()),
            self.field(),
            requested_schema,
        )
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        Ok(to_schema_pycapsule(py, self.field().as_ref())?)
    }

    fn __repr__(&self) -> String {
        format!("<promptdeck.TextColumn of {} texts>", self.texts.len())
    }
}

impl TextColumn {
    fn field(&self) -> FieldRef {
        Arc::new(Field::new("text", DataType::LargeUtf8, true))
    }
}

/// Texts and errors of a batch, as an Arrow record batch of the columns `text` and `error`.
///
/// A row that failed has no text, and its error says why: `code`, `message`, `line`, `column` and
/// `pointer`. `pyarrow.record_batch(result)` takes it without copying.
#[pyclass(frozen, sequence, module = "promptdeck")]
pub struct ResultBatch {
    rows: StructArray,
    failed: usize,
}

#[pymethods]
impl ResultBatch {
    fn __len__(&self) -> usize {
        self.rows.len()
    }

    /// How many rows failed.
    #[getter]
    fn failed(&self) -> usize {
        self.failed
    }

    /// The texts; the text of a row that failed is null.
    #[getter]
    fn texts(&self) -> TextColumn {
        TextColumn {
            texts: self.rows.column(0).as_string::<i64>().clone(),
        }
    }

    /// The error messages; that of a row that did not fail is null.
    #[getter]
    fn messages(&self) -> TextColumn {
        let errors = self.rows.column(1).as_struct();
        let messages = errors.column(1).as_string::<i64>().clone();
        TextColumn { texts: messages }
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        Ok(to_array_pycapsules(
            py,
            self.field(),
            &self.rows,
            requested_schema,
        )?)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        stream(
            py,
            Arc::new(self.rows.clone()),
            self.field(),
            requested_schema,
        )
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        Ok(to_schema_pycapsule(py, self.field().as_ref())?)
    }

    fn __repr__(&self) -> String {
        let (rows, failed) = (self.rows.len(), self.failed);
        format!("<promptdeck.ResultBatch of {rows} rows, {failed} failed>")
    }
}

impl ResultBatch {
    fn field(&self) -> FieldRef {
        Arc::new(Field::new("", self.rows.data_type().clone(), false))
    }

    fn of(answers: Answers) -> Result<Self, Fault> {
        let Answers { texts, faults } = answers;
        let rows = texts.len();
        let failed = faults.len();
        let (mut codes, mut messages) = (LargeStringBuilder::new(), LargeStringBuilder::new());
        let (mut lines, mut columns) = (UInt32Builder::new(), UInt32Builder::new());
        let mut pointers = LargeStringBuilder::new();
        let mut valid = vec![false; rows];
        let mut faults = faults.into_iter().peekable();
        for (row, valid) in valid.iter_mut().enumerate() {
            let fault = faults
                .next_if(|(failed, _)| *failed == row)
                .map(|(_, fault)| fault);
            *valid = fault.is_some();
            codes.append_option(fault.as_ref().map(|fault| &fault.code));
            messages.append_option(fault.as_ref().map(|fault| &fault.message));
            lines.append_option(fault.as_ref().and_then(|fault| fault.line));
            columns.append_option(fault.as_ref().and_then(|fault| fault.column));
            pointers.append_option(fault.as_ref().and_then(|fault| fault.pointer.as_ref()));
        }
        let text = |name| Field::new(name, DataType::LargeUtf8, true);
        let number = |name| Field::new(name, DataType::UInt32, true);
        let fields = [
            text("code"),
            text("message"),
            number("line"),
            number("column"),
            text("pointer"),
        ];
        let parts: Vec<ArrayRef> = vec![
            Arc::new(codes.finish()),
            Arc::new(messages.finish()),
            Arc::new(lines.finish()),
            Arc::new(columns.finish()),
            Arc::new(pointers.finish()),
        ];
        let internal = |error: arrow_schema::ArrowError| {
            Fault::new(Raised::Internal, "internal", error.to_string())
        };
        let valid = NullBuffer::from(valid);
        let errors = StructArray::try_new(Fields::from_iter(fields), parts, Some(valid))
            .map_err(internal)?;
        let fields = [
            text("text"),
            Field::new("error", errors.data_type().clone(), true),
        ];
        let parts: Vec<ArrayRef> = vec![Arc::new(texts), Arc::new(errors)];
        let rows =
            StructArray::try_new(Fields::from_iter(fields), parts, None).map_err(internal)?;
        Ok(Self { rows, failed })
    }
}

/// The answers of a batch as Python has them: a [`TextColumn`], or a [`ResultBatch`] with the faults.
pub fn answered(py: Python<'_>, answers: Answers, on_error: OnError) -> PyResult<Bound<'_, PyAny>> {
    Ok(match on_error {
        OnError::Raise => Bound::new(
            py,
            TextColumn {
                texts: answers.texts,
            },
        )?
        .into_any(),
        OnError::Column => {
            let batch = crate::work::detached(py, || ResultBatch::of(answers))?;
            Bound::new(py, batch)?.into_any()
        }
    })
}

fn row_of(index: isize, rows: usize) -> PyResult<usize> {
    let row = if index < 0 {
        index + rows as isize
    } else {
        index
    };
    let row = usize::try_from(row).ok().filter(|row| *row < rows);
    row.ok_or_else(|| PyIndexError::new_err(format!("row {index} of {rows}")))
}

fn stream<'py>(
    py: Python<'py>,
    array: ArrayRef,
    field: FieldRef,
    requested_schema: Option<Bound<'py, PyCapsule>>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let reader = Box::new(ArrayIterator::new(vec![Ok(array)], field));
    Ok(to_stream_pycapsule(py, reader, requested_schema)?)
}
