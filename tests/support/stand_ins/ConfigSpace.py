# SPDX-License-Identifier: Apache-2.0
"""A stand-in for ConfigSpace, which Debian does not have: spaces of categories, as ytopt takes them."""


class CategoricalHyperparameter:
    def __init__(self, name, choices):
        self.name, self.choices = name, choices


class ConfigurationSpace:
    def __init__(self, seed=None):
        self.seed, self.parameters = seed, []

    def add_hyperparameter(self, parameter):
        self.parameters.append(parameter)
