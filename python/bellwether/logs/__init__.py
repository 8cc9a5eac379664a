"""From a log to an answer: what a policy is worth by the log of another one, how sure, and whether the log can tell.

>>> log = bellwether.Log.read("log.csv")
>>> evaluation = bellwether.evaluate(log, behaviour="counts")
>>> evaluation.verdict, evaluation.answer
"""

from bellwether.logs.evaluation import Evaluation, evaluate
from bellwether.logs.policies import Behaviour, Greedy, Softmax, fit_behaviour
from bellwether.logs.reading import Log
from bellwether.logs.tuning import Tuning, tune

__all__ = ["Behaviour", "Evaluation", "Greedy", "Log", "Softmax", "Tuning", "evaluate", "fit_behaviour", "tune"]
