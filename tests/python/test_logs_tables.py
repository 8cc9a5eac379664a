"""Logs from tables and datasets of others: the same log as from the CSV, to the bit."""

import builtins
import pathlib

import numpy as np
import pytest

import bellwether

DATA = pathlib.Path(__file__).resolve().parents[1] / "data" / "logs"
LOGS = ["walk", "random", "continuing", "bandit"]


def columns_of(name):
    """The columns of a CSV; None where a cell is empty."""
    lines = (DATA / f"{name}.csv").read_text().splitlines()
    cells = [line.split(",") for line in lines[1:]]
    return {
        column: [float(row[k]) if row[k] else None for row in cells] for k, column in enumerate(lines[0].split(","))
    }


def same(one, other):
    first, second = (bellwether.evaluate(log).diagnostics for log in (one, other))
    first.pop("log"), second.pop("log")
    return first == second


@pytest.mark.parametrize("name", LOGS)
@pytest.mark.parametrize("ending", ["parquet", "feather", "arrow"])
def test_a_file_of_arrow_is_the_csv(name, ending, tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(columns_of(name))
    path = tmp_path / f"log.{ending}"
    if ending == "parquet":
        import pyarrow.parquet

        pyarrow.parquet.write_table(table, path, row_group_size=500)
    elif ending == "feather":
        import pyarrow.feather

        pyarrow.feather.write_feather(table, path)
    else:
        with pyarrow.ipc.new_stream(path, table.schema) as writer:
            writer.write_table(table, max_chunksize=300)
    assert same(bellwether.Log.read(path), bellwether.Log.read(DATA / f"{name}.csv"))


def frame_arguments(columns):
    return dict(
        features=[name for name in columns if name[0] == "x"],
        reward="reward",
        gamma="gamma",
        action="action",
        pi=[name for name in columns if name[:2] == "pi"],
        mu="mu",
    )


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_a_frame_is_the_csv(library):
    module = pytest.importorskip(library)
    columns = columns_of("random")
    frame = module.table(columns) if library == "pyarrow" else module.DataFrame(columns)
    log = bellwether.Log.from_frame(frame, **frame_arguments(columns))
    assert same(log, bellwether.Log.read(DATA / "random.csv"))


def test_anything_that_hands_out_arrow_is_a_frame():
    pyarrow = pytest.importorskip("pyarrow")
    columns = columns_of("walk")

    class Table:
        def __arrow_c_stream__(self, requested_schema=None):
            return pyarrow.table(columns).__arrow_c_stream__(requested_schema)

    log = bellwether.Log.from_frame(Table(), **frame_arguments(columns))
    assert same(log, bellwether.Log.read(DATA / "walk.csv"))


def test_what_is_wrong_with_a_table_is_said(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet

    def read(columns, **options):
        pyarrow.parquet.write_table(pyarrow.table(columns), tmp_path / "log.parquet")
        return bellwether.Log.read(tmp_path / "log.parquet", **options)

    good = {"x0": [1.0, 2.0, 3.0], "reward": [0.0, 1.0, 1.0], "gamma": [0.9, 0.9, 0.0]}
    assert read(good).steps == 3
    for change, words in [
        ({"rewrd": good["reward"]}, "unknown column 'rewrd'"),
        ({"gamma": [0.9, 0.9, 0.9]}, "the last segment ends without gamma 0"),
        ({"gamma": [0.9, 1.5, 0.0]}, "step 1: gamma is 1.5"),
        ({"episode": ["a", "b", "b"]}, "row 1: episode b begins"),
        ({"time": [1, 3, 2]}, "row 2: time goes from 3 to 2"),
        ({"x2": good["x0"]}, "'x1' is missing"),
        ({"x0": ["a", "b", "c"]}, "the column 'x0' has something in it that is no number"),
    ]:
        with pytest.raises(ValueError, match=words.replace("(", r"\(")):
            read({**good, **change})
    gap = {**good, "time": [1, 2, 9]}
    assert bellwether.evaluate(read(gap)).diagnostics["missing-steps"] == 6
    with pytest.raises(ValueError, match="no such file"):
        bellwether.Log.read(tmp_path / "none.parquet")
    with pytest.raises(ValueError, match="the frame has no column 'y'"):
        bellwether.Log.from_frame(pyarrow.table(good), features=["y"], reward="reward", gamma="gamma")
    with pytest.raises(TypeError, match="a frame is a table"):
        bellwether.Log.from_frame(3, features=["x0"], reward="reward", gamma="gamma")


@pytest.mark.parametrize(
    ("missing", "call", "words"),
    [
        ("pyarrow", lambda path: bellwether.Log.read(path / "log.parquet"), "needs pyarrow: pip install pyarrow"),
        ("h5py", lambda path: bellwether.Log.from_minari(path / "main_data.hdf5", float, 0.9), "needs h5py"),
        ("minari", lambda path: bellwether.Log.from_minari("door/human-v2", float, 0.9), "an id needs Minari"),
    ],
)
def test_what_is_not_installed_is_named(missing, call, words, tmp_path, monkeypatch):
    (tmp_path / "log.parquet").write_bytes(b"")
    (tmp_path / "main_data.hdf5").write_bytes(b"")
    plain = builtins.__import__

    def without(name, *arguments, **named):
        if name.split(".")[0] == missing:
            raise ImportError(name)
        return plain(name, *arguments, **named)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ImportError, match=words):
        call(tmp_path)


# ---- Minari ----


class Episode:
    """As Minari's EpisodeData, in what is read of it."""

    def __init__(self, observations, actions, rewards, terminated):
        self.observations, self.actions, self.rewards = observations, np.array(actions), np.array(rewards)
        self.terminations = np.array([False] * (len(rewards) - 1) + [terminated])
        self.truncations = np.array([False] * (len(rewards) - 1) + [not terminated])


class Dataset:
    """As a MinariDataset."""

    def __init__(self, episodes):
        self.episodes = episodes

    def iterate_episodes(self):
        return iter(self.episodes)


def episodes():
    random = np.random.default_rng(1)
    found = []
    for k in range(30):
        steps = int(random.integers(1, 6))
        found.append(
            Episode(random.uniform(size=(steps + 1, 2)), random.integers(0, 2, steps), random.normal(size=steps), k % 3 != 0)
        )
    return found


def by_hand(given, features):
    """The log that the episodes are."""
    X, X_next, rewards, gammas, actions, starts = [], [], [], [], [], []
    for episode in given:
        starts.append(len(rewards))
        rows = [features(observation) for observation in episode.observations]
        for t in range(len(episode.rewards)):
            X.append(rows[t]), X_next.append(rows[t + 1])
            rewards.append(episode.rewards[t]), actions.append(episode.actions[t])
            gammas.append(0 if episode.terminations[t] else 0.9)
    return bellwether.Log.from_arrays(
        np.array(X), np.array(rewards), np.array(gammas), X_next=np.array(X_next), starts=starts, actions=np.array(actions)
    )


def with_one(observation):
    return [1, *observation]


def same_log(one, other):
    return (one.segments, one.steps) == (other.segments, other.steps) and same_values(one, other)


def same_values(one, other):
    first, second = (bellwether.evaluate(log, "uniform", "auto").diagnostics for log in (one, other))
    first.pop("log"), second.pop("log")
    return first == second


def test_minari_episodes_that_end_and_that_are_cut_off():
    given = episodes()
    log = bellwether.Log.from_minari(Dataset(given), with_one, 0.9)
    assert same_log(log, by_hand(given, with_one))


def test_minari_features_of_a_stack_coders_and_parts():
    given = episodes()

    def stack(observations):
        return np.column_stack([np.ones(len(observations)), observations])

    stack.batch = True
    expected = by_hand(given, with_one)
    assert same_log(bellwether.Log.from_minari(Dataset(given), stack, 0.9), expected)

    parts = [
        Episode({"a": e.observations[:, :1], "b": (e.observations[:, 1],)}, e.actions, e.rewards, e.terminations[-1])
        for e in given
    ]
    log = bellwether.Log.from_minari(Dataset(parts), lambda o: [1, o["a"][0], o["b"][0]], 0.9)
    assert same_log(log, expected)

    coder = bellwether.TileCoder(lower=[0, 0], upper=[1, 1], tiles=[2, 2], tilings=2)

    def coded(observation):
        x = np.zeros(coder.size)
        x[coder.encode(observation)] = 1
        return x

    assert same_log(bellwether.Log.from_minari(Dataset(given), coder, 0.9), by_hand(given, coded))


def test_minari_actions_are_whole_numbers():
    given = episodes()
    for episode in given:
        episode.actions = episode.actions * 0.5 - 0.25
    with pytest.raises(ValueError, match="actions must be whole numbers from 0"):
        bellwether.Log.from_minari(Dataset(given), with_one, 0.9)
    log = bellwether.Log.from_minari(Dataset(given), with_one, 0.9, actions=lambda a: (a > 0).astype(int))
    assert log.actions == 2
    with pytest.raises(TypeError, match="dataset must be a MinariDataset"):
        bellwether.Log.from_minari(3, with_one, 0.9)
    given[3].observations = given[3].observations[:-1]
    with pytest.raises(ValueError, match="episode 3 has .* steps and .* observations"):
        bellwether.Log.from_minari(Dataset(given), with_one, 0.9, actions=lambda a: (a > 0).astype(int))


def test_a_file_in_minaris_format(tmp_path):
    h5py = pytest.importorskip("h5py")
    given = episodes()
    (tmp_path / "data").mkdir()
    with h5py.File(tmp_path / "data" / "main_data.hdf5", "w") as file:
        for k, episode in enumerate(given):
            group = file.create_group(f"episode_{k}")
            for part in ("observations", "actions", "rewards", "terminations", "truncations"):
                group[part] = getattr(episode, part)
    assert same_log(bellwether.Log.from_minari(tmp_path, with_one, 0.9), by_hand(given, with_one))


def test_a_dataset_that_minari_made(tmp_path, monkeypatch):
    minari = pytest.importorskip("minari")
    gymnasium = pytest.importorskip("gymnasium")
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    from minari.data_collector import EpisodeBuffer

    given = episodes()
    buffers = [
        EpisodeBuffer(
            id=k,
            observations=list(np.float32(episode.observations)),
            actions=list(episode.actions),
            rewards=list(episode.rewards),
            terminations=list(episode.terminations),
            truncations=list(episode.truncations),
        )
        for k, episode in enumerate(given)
    ]
    dataset = minari.create_dataset_from_buffers(
        dataset_id="bellwether/test-v0",
        buffer=buffers,
        observation_space=gymnasium.spaces.Box(0, 1, (2,), np.float32),
        action_space=gymnasium.spaces.Discrete(2),
    )
    for episode in given:
        episode.observations = np.float32(episode.observations)
    expected = by_hand(given, with_one)
    assert same_log(bellwether.Log.from_minari(dataset, with_one, 0.9), expected)
    assert same_log(bellwether.Log.from_minari("bellwether/test-v0", with_one, 0.9), expected)
    assert same_log(bellwether.Log.from_minari(tmp_path / "bellwether" / "test-v0", with_one, 0.9), expected)


# ---- what evaluate and tune take beside the log ----


def test_a_learner_along_the_log_is_a_row():
    log = bellwether.Log.read(DATA / "random.csv")
    found = bellwether.evaluate(log, algorithm="gtd", alpha=0.1, eta=1.0, lambda_=0.9).estimates["online"]
    assert found["lower"] < found["estimate"] < found["upper"]
    assert "online" not in bellwether.evaluate(log).estimates
    with pytest.raises(ValueError, match="alpha"):
        bellwether.evaluate(log, algorithm="gtd", eta=1.0)


def test_tuning_by_other_scores_and_on_fresh_segments():
    log = bellwether.Log.read(DATA / "random.csv")
    options = dict(algorithms="off-policy-td", alpha=[0.1, 0.01], lambda_=0.5)
    found = bellwether.tune(log, **options)
    assert found.diagnostics["fresh"]["segments"] == 66
    assert bellwether.tune(log, fresh=0, **options).diagnostics["fresh"] is None
    for score in ("return", "progressive"):
        assert bellwether.tune(log, score=score, **options).diagnostics["score"] == score
    assert "rupee" in bellwether.tune(log, monitor=True, **options).diagnostics["best"][0]
    with pytest.raises(ValueError, match="none of projected, return, progressive"):
        bellwether.tune(log, score="td", **options)
    with pytest.raises(ValueError, match="fresh = 0.7"):
        bellwether.tune(log, fresh=0.7, **options)
