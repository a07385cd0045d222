//! Conversations from Arrow columns: lists of structs, as pyarrow, polars and duckdb make them of
//! messages, or JSON text. A row is read as the JSON that the text would hold.

use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use arrow_array::{
    Array, ArrayRef, BooleanArray, Float64Array, LargeListArray, MapArray, StructArray,
};
use arrow_schema::DataType;
use pyo3::prelude::*;
use serde_json::{Map, Number, Value};

use crate::convert::{MAX_DEPTH, Place, not_finite, too_deep, wrong_argument};
use crate::fault::{Fault, Raised};
use crate::input_columns::{
    Integers, TextInput, Texts, cast, chunk_of, chunks, ends, integers, null_row, texts,
};
use crate::messages;

/// The name of the argument.
const NAME: &str = "messages";

/// A column of conversations from a caller.
pub enum MessageInput {
    /// The JSON text of a list of messages for each row.
    Json(TextInput),
    /// A list of structs for each row.
    Lists {
        /// Its chunks.
        chunks: Vec<Lists>,
        /// The row after each chunk.
        ends: Vec<usize>,
    },
}

/// Lists and what their elements are.
pub struct Lists {
    array: LargeListArray,
    items: Node,
}

/// An array of any type that JSON can hold, with the arrays inside it.
enum Node {
    Null,
    Flags(BooleanArray),
    Integers(Integers),
    Floats(Float64Array),
    Texts(Texts),
    Lists(Box<Lists>),
    Structs(StructArray, Vec<(String, Node)>),
    Maps(Box<Maps>),
}

/// Mappings with text keys, and what their values are.
struct Maps {
    array: MapArray,
    keys: Texts,
    values: Node,
}

impl MessageInput {
    /// Reads the one column that is given: `messages_json` or `messages`.
    pub fn read(
        json: Option<&Bound<'_, PyAny>>,
        messages: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        match (json, messages) {
            (Some(json), None) => Ok(Self::Json(TextInput::read("messages_json", json)?)),
            (None, Some(messages)) => Self::lists(messages),
            _ => {
                let message = "a batch needs one column: messages_json, of JSON texts, or messages, \
                     of lists of structs";
                Err(Fault::new(Raised::Column, "wrong_argument", message).into())
            }
        }
    }

    fn lists(column: &Bound<'_, PyAny>) -> PyResult<Self> {
        let Some(chunks) = chunks(NAME, column)? else {
            let expected = "an Arrow column of lists of structs (lists of dictionaries are given to \
                 pyarrow.array first, JSON texts as messages_json)";
            return Err(wrong_argument(NAME, expected, column));
        };
        let place = Place::Key(&Place::Root, NAME);
        let lists = |chunk: &ArrayRef| match Node::of(chunk, place)? {
            Node::Lists(lists)
                if matches!(lists.items, Node::Structs(..) | Node::Maps(..) | Node::Null) =>
            {
                Ok(*lists)
            }
            _ => Err(unsupported(place, "lists of structs", chunk.data_type())),
        };
        let chunks = chunks
            .iter()
            .map(lists)
            .collect::<Result<Vec<_>, Fault>>()?;
        Ok(Self::Lists {
            ends: ends(chunks.iter().map(|lists| lists.array.len())),
            chunks,
        })
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Json(column) => column.len(),
            Self::Lists { ends, .. } => ends.last().copied().unwrap_or_default(),
        }
    }

    /// The messages of a row.
    pub fn get(&self, row: usize) -> Result<Vec<Value>, Fault> {
        match self {
            Self::Json(column) => messages::of_json(column.get(row)?),
            Self::Lists { chunks, ends } => {
                let (chunk, row) = chunk_of(ends, row);
                let messages = chunks[chunk].values(row, Place::Root)?;
                messages.ok_or_else(|| null_row(NAME))
            }
        }
    }
}

impl Lists {
    /// The elements of a list; none for a null.
    fn values(&self, row: usize, place: Place<'_>) -> Result<Option<Vec<Value>>, Fault> {
        if self.array.is_null(row) {
            return Ok(None);
        }
        let offsets = self.array.value_offsets();
        let (start, end) = (offsets[row] as usize, offsets[row + 1] as usize);
        let value = |index: usize| {
            let value = self.items.value(index, Place::Index(&place, index - start));
            Ok(value?.unwrap_or_default())
        };
        (start..end).map(value).collect::<Result<_, _>>().map(Some)
    }
}

impl Node {
    fn of(array: &ArrayRef, place: Place<'_>) -> Result<Self, Fault> {
        use DataType::{
            Boolean, Dictionary, FixedSizeList, Float16, Float32, Float64, Int8, Int16, Int32,
            Int64, LargeList, LargeListView, LargeUtf8, List, ListView, Map, Null, Struct, UInt8,
            UInt16, UInt32, UInt64, Utf8, Utf8View,
        };
        if place.depth() > MAX_DEPTH {
            return Err(too_deep(place, Raised::Column));
        }
        Ok(match array.data_type() {
            Null => Self::Null,
            Boolean => Self::Flags(array.as_boolean().clone()),
            Int8 | Int16 | Int32 | Int64 | UInt8 | UInt16 | UInt32 | UInt64 => {
                Self::Integers(integers(NAME, array)?)
            }
            Float16 | Float32 | Float64 => {
                let wide = cast(NAME, array, &Float64)?;
                Self::Floats(wide.as_primitive::<Float64Type>().clone())
            }
            Utf8 | LargeUtf8 | Utf8View => Self::Texts(texts(NAME, array)?),
            Dictionary(_, values) => Self::of(&cast(NAME, array, values)?, place)?,
            List(field)
            | LargeList(field)
            | ListView(field)
            | LargeListView(field)
            | FixedSizeList(field, _) => {
                let wide = cast(NAME, array, &LargeList(field.clone()))?;
                let array = wide.as_list::<i64>().clone();
                let items = Self::of(array.values(), Place::Index(&place, 0))?;
                Self::Lists(Box::new(Lists { array, items }))
            }
            Struct(fields) => {
                let array = array.as_struct();
                let mut members: Vec<(String, Self)> = Vec::with_capacity(fields.len());
                for (field, column) in fields.iter().zip(array.columns()) {
                    let place = Place::Key(&place, field.name());
                    if members.iter().any(|(name, _)| name == field.name()) {
                        let message = format!("{}: a field of the same name", place.pointer());
                        let fault = Fault::new(Raised::Column, "duplicate_key", message);
                        return Err(fault.at(place.pointer()));
                    }
                    members.push((field.name().clone(), Self::of(column, place)?));
                }
                Self::Structs(array.clone(), members)
            }
            Map(..) => {
                let array = array.as_map().clone();
                let keys = match array.keys().data_type() {
                    Utf8 | LargeUtf8 | Utf8View => texts(NAME, array.keys())?,
                    other => return Err(unsupported(place, "maps with text keys", other)),
                };
                let values = Self::of(array.values(), Place::Key(&place, "*"))?;
                Self::Maps(Box::new(Maps {
                    array,
                    keys,
                    values,
                }))
            }
            other => return Err(unsupported(place, "types that JSON has", other)),
        })
    }

    /// The value of a row; none for a null. A null field of a struct is a key that is missing: a
    /// column of structs has every field in every row, and cannot tell the two apart.
    fn value(&self, row: usize, place: Place<'_>) -> Result<Option<Value>, Fault> {
        Ok(match self {
            Self::Null => None,
            Self::Flags(flags) => flags.is_valid(row).then(|| Value::Bool(flags.value(row))),
            Self::Integers(integers) => integers.number(row).map(Value::Number),
            Self::Floats(floats) if floats.is_null(row) => None,
            Self::Floats(floats) => {
                let number = Number::from_f64(floats.value(row));
                let number = number.ok_or_else(|| not_finite(place, Raised::Chat))?;
                Some(Value::Number(number))
            }
            Self::Texts(texts) => texts.get(row).map(|text| Value::String(text.to_owned())),
            Self::Lists(lists) => lists.values(row, place)?.map(Value::Array),
            Self::Structs(array, _) if array.is_null(row) => None,
            Self::Structs(_, fields) => {
                let mut object = Map::with_capacity(fields.len());
                for (name, field) in fields {
                    if let Some(value) = field.value(row, Place::Key(&place, name))? {
                        object.insert(name.clone(), value);
                    }
                }
                Some(Value::Object(object))
            }
            Self::Maps(maps) if maps.array.is_null(row) => None,
            Self::Maps(maps) => {
                let offsets = maps.array.value_offsets();
                let mut object = Map::new();
                for entry in offsets[row] as usize..offsets[row + 1] as usize {
                    let Some(key) = maps.keys.get(entry) else {
                        continue;
                    };
                    let value = maps.values.value(entry, Place::Key(&place, key))?;
                    object.insert(key.to_owned(), value.unwrap_or_default());
                }
                Some(Value::Object(object))
            }
        })
    }
}

fn unsupported(place: Place<'_>, expected: &str, found: &DataType) -> Fault {
    let pointer = place.pointer();
    let message = format!("{pointer}: expected {expected}, found {found}");
    Fault::new(Raised::Column, "wrong_column", message).at(pointer)
}
