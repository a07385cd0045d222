//! Files of a model: its folder, its GGUF header and its tokenizer. All readers work within bounds
//! and trust no length or count in a file. The crate runs no models.

pub mod gguf;
pub mod model_dir;
#[cfg(feature = "tokenizer")]
pub mod tokenizer;
