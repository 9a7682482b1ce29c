# SPDX-License-Identifier: Apache-2.0
"""See kernel_tuner: the words for failures, and the cache."""


class ErrorConfig(str):
    def __new__(cls):
        return super().__new__(cls, cls.__name__)


class InvalidConfig(ErrorConfig):
    pass


class CompilationFailedConfig(ErrorConfig):
    pass


class RuntimeFailedConfig(ErrorConfig):
    pass


def store_cache(key, params, cachefile, cache):
    assert key not in cache, f"{key} is timed twice"
    cache[key] = params
