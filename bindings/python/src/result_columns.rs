//! Columns for a caller, by the Arrow `PyCapsule` interface: the texts of a batch, and its errors.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use arrow_array::builder::{LargeStringBuilder, UInt32Builder};
use arrow_array::cast::AsArray;
use arrow_array::types::UInt32Type;
use arrow_array::{Array, ArrayRef, LargeStringArray, StructArray};
use arrow_buffer::NullBuffer;
use arrow_schema::{DataType, Field, FieldRef, Fields};
use promptdeck_core::plural::plural;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::slice::PySliceIndices;
use pyo3::types::{PyCapsule, PySlice, PyTuple};
use pyo3_arrow::PyField;
use pyo3_arrow::ffi::{
    ArrayIterator, to_array_pycapsules, to_schema_pycapsule, to_stream_pycapsule,
};
use serde_json::{Value, json};

use crate::batch::{Answers, OnError};
use crate::convert;
use crate::fault::{Fault, Raised};
use crate::pickle::{self, Kind};

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

    /// The text of a row, or the column of a slice.
    fn __getitem__<'py>(&self, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = index.py();
        if let Ok(slice) = index.cast::<PySlice>() {
            let PySliceIndices {
                start,
                step,
                slicelength,
                ..
            } = slice.indices(self.texts.len() as isize)?;
            let texts = match step {
                1 => self.texts.slice(start as usize, slicelength),
                _ => (0..slicelength as isize)
                    .map(|index| self.get((start + index * step) as usize))
                    .collect(),
            };
            return Ok(Bound::new(py, Self { texts })?.into_any());
        }
        let row = row_of(index.extract()?, self.texts.len())?;
        Ok(self.get(row).into_pyobject(py)?)
    }

    fn __iter__(&self) -> TextIterator {
        TextIterator {
            texts: self.texts.clone(),
            next: AtomicUsize::new(0),
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        pickle::reduced(py, Kind::TextColumn, json!(self.to_pylist()).to_string())
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
        check_requested(requested_schema.as_ref(), self.texts.data_type())?;
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
        let texts = plural(self.texts.len(), "text");
        format!("<promptdeck.TextColumn of {texts}>")
    }
}

impl TextColumn {
    /// Restores a column from a pickle.
    pub fn restored(json: &str) -> Result<Self, Fault> {
        let texts: Vec<Option<String>> = serde_json::from_str(json)
            .map_err(|error| Fault::of_json(Raised::Pickle, "a column of texts", &error))?;
        Ok(Self {
            texts: texts.into_iter().collect(),
        })
    }

    fn get(&self, row: usize) -> Option<&str> {
        self.texts.is_valid(row).then(|| self.texts.value(row))
    }

    fn field(&self) -> FieldRef {
        Arc::new(Field::new("text", DataType::LargeUtf8, true))
    }
}

/// The texts of a column, one after the other.
#[pyclass(frozen, module = "promptdeck")]
pub struct TextIterator {
    texts: LargeStringArray,
    next: AtomicUsize,
}

#[pymethods]
impl TextIterator {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    #[allow(
        clippy::option_option,
        reason = "the end of the column, and a row without a text"
    )]
    fn __next__(&self) -> Option<Option<&str>> {
        let row = self.next.fetch_add(1, Ordering::Relaxed);
        (row < self.texts.len()).then(|| self.texts.is_valid(row).then(|| self.texts.value(row)))
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

    /// The errors, in the order of their rows: dictionaries of row, code, message and place.
    #[getter]
    fn errors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let errors = self
            .faults()
            .map(|(row, code, message, line, column, pointer)| {
                json!({"row": row, "code": code, "message": message, "line": line, "column": column,
                   "pointer": pointer})
            });
        convert::python(py, &errors.collect::<Value>().to_string())
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
        check_requested(requested_schema.as_ref(), self.rows.data_type())?;
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

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let faults: Vec<FaultParts> = self.faults().collect();
        let parts = json!((self.texts().to_pylist(), faults));
        pickle::reduced(py, Kind::ResultBatch, parts.to_string())
    }

    fn __repr__(&self) -> String {
        let (rows, failed) = (plural(self.rows.len(), "row"), self.failed);
        format!("<promptdeck.ResultBatch of {rows}, {failed} failed>")
    }
}

impl ResultBatch {
    /// Restores a batch from a pickle.
    pub fn restored(json: &str) -> Result<Self, Fault> {
        let read: Result<(Vec<Option<String>>, Vec<FaultParts>), _> = serde_json::from_str(json);
        let (texts, faults) =
            read.map_err(|error| Fault::of_json(Raised::Pickle, "the result of a batch", &error))?;
        let faults = faults.into_iter();
        let faults = faults.map(|(row, code, message, line, column, pointer)| {
            let fault = Fault {
                line,
                column,
                pointer,
                ..Fault::new(Raised::Column, &code, message)
            };
            (row, fault)
        });
        Self::of(Answers {
            texts: texts.into_iter().collect(),
            faults: faults.collect(),
        })
    }

    /// The rows that failed, and why.
    fn faults(&self) -> impl Iterator<Item = FaultParts> {
        let errors = self.rows.column(1).as_struct();
        let text = |column: usize, row: usize| {
            let column = errors.column(column).as_string::<i64>();
            column.is_valid(row).then(|| column.value(row).to_owned())
        };
        let number = |column: usize, row: usize| {
            let column = errors.column(column).as_primitive::<UInt32Type>();
            column.is_valid(row).then(|| column.value(row))
        };
        let failed = (0..errors.len()).filter(|row| errors.is_valid(*row));
        failed.map(move |row| {
            (
                row,
                text(0, row).unwrap_or_default(),
                text(1, row).unwrap_or_default(),
                number(2, row),
                number(3, row),
                text(4, row),
            )
        })
    }

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

/// A row that failed, with the code, the message, the line, the column and the pointer.
type FaultParts = (
    usize,
    String,
    String,
    Option<u32>,
    Option<u32>,
    Option<String>,
);

fn row_of(index: isize, rows: usize) -> PyResult<usize> {
    let row = if index < 0 {
        index + rows as isize
    } else {
        index
    };
    let row = usize::try_from(row).ok().filter(|row| *row < rows);
    row.ok_or_else(|| PyIndexError::new_err(format!("row {index} of {rows}")))
}

/// Refuses a type that is not another form of what there is: a cast to it would make nulls of values.
fn check_requested(schema: Option<&Bound<'_, PyCapsule>>, actual: &DataType) -> PyResult<()> {
    let Some(schema) = schema else {
        return Ok(());
    };
    let requested = PyField::from_arrow_pycapsule(schema)?.into_inner();
    match is_form_of(actual, requested.data_type()) {
        true => Ok(()),
        false => {
            let message = format!(
                "a column of {actual} is not one of {}",
                requested.data_type()
            );
            Err(Fault::new(Raised::Column, "wrong_column", message).into())
        }
    }
}

/// Whether a type holds every value of another one.
fn is_form_of(actual: &DataType, requested: &DataType) -> bool {
    use DataType::{
        Binary, BinaryView, Dictionary, Int64, LargeBinary, LargeUtf8, Struct, UInt32, UInt64,
        Utf8, Utf8View,
    };
    match (actual, requested) {
        (LargeUtf8, Utf8 | LargeUtf8 | Utf8View | Binary | LargeBinary | BinaryView)
        | (UInt32, UInt32 | Int64 | UInt64) => true,
        (LargeUtf8, Dictionary(_, values)) => is_form_of(actual, values),
        (Struct(actual_fields), Struct(requested)) => {
            actual_fields.len() == requested.len()
                && actual_fields
                    .iter()
                    .zip(requested)
                    .all(|(actual, requested)| {
                        actual.name() == requested.name()
                            && is_form_of(actual.data_type(), requested.data_type())
                    })
        }
        _ => false,
    }
}

fn stream<'py>(
    py: Python<'py>,
    array: ArrayRef,
    field: FieldRef,
    requested_schema: Option<Bound<'py, PyCapsule>>,
) -> PyResult<Bound<'py, PyCapsule>> {
    check_requested(requested_schema.as_ref(), array.data_type())?;
    let reader = Box::new(ArrayIterator::new(vec![Ok(array)], field));
    Ok(to_stream_pycapsule(py, reader, requested_schema)?)
}
