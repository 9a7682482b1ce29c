# SPDX-License-Identifier: Apache-2.0
"""
Optuna asks, Assay answers: optuna_assay.py SPEC.json TEMPLATE.c TRIALS NAME=1,2,3... [storage]

Trials are asked and told one by one while several are under way.  A variant that fails is a trial
that fails.  With a storage, such as sqlite:///study.db, the program can be started again: trials
that were left open are taken up by the ids of their jobs, which are kept with them.
"""
import sys

import optuna

import assay

if len(sys.argv) < 5:
    sys.exit(__doc__.strip().splitlines()[0])
spec, template, trials = assay.load(sys.argv[1]), sys.argv[2], int(sys.argv[3])
words = [word.partition("=") for word in sys.argv[4:] if "://" not in word]
space = {name: values.split(",") for name, _, values in words}
storage = next((word for word in sys.argv[4:] if "://" in word), None)


def tell(study, trial, result):
    """`trial`: its number."""
    if result.ok:
        study.tell(trial, result.seconds, skip_if_finished=True)
    else:
        study.tell(trial, state=optuna.trial.TrialState.FAIL, skip_if_finished=True)
    print(f"trial {trial}: {result}", flush=True)


def take_up(a, study):
    """Trials that an earlier run has left open; one without a job fails."""
    jobs = {}
    for trial in study.get_trials(states=[optuna.trial.TrialState.RUNNING]):
        if "job" in trial.user_attrs:
            jobs[trial.user_attrs["job"]] = trial.number
        else:
            study.tell(trial.number, state=optuna.trial.TrialState.FAIL)
    for result in a.results(jobs):
        tell(study, jobs[result.job], result)


optuna.logging.set_verbosity(optuna.logging.WARNING)
study = optuna.create_study(storage=storage, study_name="assay", load_if_exists=True)
with assay.Assay() as a:
    take_up(a, study)
    running = a.study(lambda trial: assay.job(
        spec, template, flags=["-O3"], **{n: trial.suggest_categorical(n, v) for n, v in space.items()}), parallel=4)
    left = trials
    while left or running.under_way:
        while left and running.room:
            trial = study.ask()
            trial.set_user_attr("job", running.put(trial))
            left -= 1
        trial, result = next(running)
        tell(study, trial.number, result)
print("best:", study.best_params, study.best_value)
