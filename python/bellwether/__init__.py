"""Linear temporal-difference prediction: learn, online and at linear cost, what a policy is worth.

    learner = bellwether.Learner("gtd", dimension=30, alpha=0.1, eta=1.0, lambda_=0.9)
    predictions = learner.learn(X, rewards, gammas, rhos)

Learner and Horde learn, sweep tries many configurations on a stream of yours, evaluate says what a policy is worth by a log, TileCoder and FourierBasis make features;
problems has MDPs with exact answers, run and load are for studies, plot for their figures, gym for Gymnasium's environments.
"""

from bellwether import gym, plot, problems
from bellwether._algorithms import Algorithm, Parameter, algorithms, signature
from bellwether._core import FourierBasis, Learner, TileCoder, __version__
from bellwether.horde import Horde, PredictionFile
from bellwether.logs import Behaviour, Evaluation, Greedy, Log, Softmax, Tuning, evaluate, fit_behaviour, tune
from bellwether.results import Results, load, run
from bellwether.sweep import sweep

__all__ = [
    "Algorithm",
    "Behaviour",
    "Evaluation",
    "FourierBasis",
    "Greedy",
    "Horde",
    "Learner",
    "Log",
    "Parameter",
    "PredictionFile",
    "Results",
    "Softmax",
    "TileCoder",
    "Tuning",
    "__version__",
    "algorithms",
    "evaluate",
    "fit_behaviour",
    "gym",
    "load",
    "plot",
    "problems",
    "run",
    "signature",
    "sweep",
    "tune",
]
