"""Writes the smallest model the llama.cpp server takes: two layers of random weights, always the
same ones, and a vocabulary of bytes, letters and a few words. It talks nonsense, in UTF-8."""

import numpy
from gguf import GGUFWriter, TokenType

WIDTH = 64
HEADS = 4
LAYERS = 2
INNER = 128
CONTEXT = 2048
WORDS = ["the", "a", "deck", "card", "of", "and", "to", "in", "red", "sun", "sea", "sings"]
TEMPLATE = (
    "{% for m in messages %}{{ m['role'] + ': ' + m['content'] + '\\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ 'assistant: ' }}{% endif %}"
)


def vocabulary():
    """Tokens with their kinds, in the order SentencePiece has them."""
    yield "<unk>", TokenType.UNKNOWN
    yield "<s>", TokenType.CONTROL
    yield "</s>", TokenType.CONTROL
    for byte in range(256):
        yield f"<0x{byte:02X}>", TokenType.BYTE
    for text in [f"\u2581{word}" for word in WORDS] + ["\u2581"] + [chr(c) for c in range(33, 127)]:
        yield text, TokenType.NORMAL


def weights(random):
    """Every tensor by its name."""

    def of(*shape):
        return (random.standard_normal(shape) * 0.3).astype(numpy.float32)

    def ones():
        return numpy.ones(WIDTH, numpy.float32)

    kinds = [kind for _, kind in vocabulary()]
    out = of(len(kinds), WIDTH)
    for index, kind in enumerate(kinds):
        if kind is not TokenType.NORMAL:
            # Hardly ever chosen: lone bytes are no UTF-8, and an end mark would end it early.
            out[index] *= 0.02
    yield "token_embd.weight", of(len(kinds), WIDTH)
    yield "output_norm.weight", ones()
    yield "output.weight", out
    for layer in range(LAYERS):
        for name, shape in {
            "attn_q": (WIDTH, WIDTH),
            "attn_k": (WIDTH, WIDTH),
            "attn_v": (WIDTH, WIDTH),
            "attn_output": (WIDTH, WIDTH),
            "ffn_gate": (INNER, WIDTH),
            "ffn_up": (INNER, WIDTH),
            "ffn_down": (WIDTH, INNER),
        }.items():
            yield f"blk.{layer}.{name}.weight", of(*shape)
        yield f"blk.{layer}.attn_norm.weight", ones()
        yield f"blk.{layer}.ffn_norm.weight", ones()


def write(path):
    """Writes the model into a file."""
    tokens = list(vocabulary())
    writer = GGUFWriter(path, "llama")
    writer.add_name("tiny")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("llama")
    writer.add_tokenizer_pre("default")
    writer.add_token_list([text for text, _ in tokens])
    writer.add_token_scores([-float(max(0, at - 258)) for at in range(len(tokens))])
    writer.add_token_types([int(kind) for _, kind in tokens])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    writer.add_add_bos_token(True)
    writer.add_chat_template(TEMPLATE)
    for name, tensor in weights(numpy.random.default_rng(0)):
        writer.add_tensor(name, tensor)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
