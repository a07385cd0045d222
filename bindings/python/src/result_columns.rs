//! Columns for a caller, by the Arrow `PyCapsule` interface: the texts of a batch, and its errors.

use std::sync::Arc;

use arrow_array::builder::{LargeStringBuilder, UInt32Builder};
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, LargeStringArray, StructArray};
use arrow_buffer::NullBuffer;
use arrow_schema::{DataType, Field, FieldRef, Fields};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use pyo3_arrow::ffi::{
    ArrayIterator, to_array_pycapsules, to_schema_pycapsule, to_stream_pycapsule,
};

use crate::batch::{Answers, OnError};
use crate::fault::{Fault, Raised};

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
