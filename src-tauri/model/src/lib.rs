//! What a model brings with it: tokenizers, model folders and GGUF headers, read within bounds.
