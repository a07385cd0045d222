"""Serves a tiny model with the llama.cpp server, for the tests of the providers.

usage: llama_server.py MODEL.gguf [KEY [TEMPLATE.jinja]]

An empty key is none. A template takes the place of the model's own.

Writes the model first. Prints the address once it listens and ends when standard
input does, so that it never outlives the tests.
"""

import os
import sys

import xllamacpp

import tiny_model


def parameters(model, key, template):
    chosen = xllamacpp.CommonParams()
    chosen.model.path = model
    chosen.model_alias = {"tiny"}
    chosen.port = 0
    chosen.n_ctx = 1024
    chosen.n_parallel = 2
    chosen.cpuparams.n_threads = 1
    chosen.warmup = False
    chosen.offline = True
    chosen.ui = False
    chosen.verbosity = 0
    if key:
        chosen.api_keys = [key]
    if template:
        with open(template, encoding="utf-8") as file:
            chosen.chat_template = file.read()
        chosen.use_jinja = True
    return chosen


def main():
    model, key, template, *_ = [*sys.argv[1:], "", ""]
    tiny_model.write(model)
    server = xllamacpp.Server(parameters(model, key, template))
    print("READY", server.listening_address, flush=True)
    sys.stdin.read()
    # The server's threads wait for connections; there is nothing to put in order.
    os._exit(0)


main()
