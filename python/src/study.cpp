// Studies: running them, and what their results say.
#include <fmt/format.h>
#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <exception>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "analysis/export.hpp"
#include "analysis/findings.hpp"
#include "analysis/pending_units.hpp"
#include "analysis/selection.hpp"
#include "analysis/stored_study.hpp"
#include "bellwether/suggest.hpp"
#include "bindings.hpp"
#include "columns.hpp"
#include "device_notices.hpp"
#include "engine/backend.hpp"
#include "engine/device/device.hpp"
#include "report/figure_findings.hpp"
#include "report/style.hpp"
#include "report/tables.hpp"
#include "run/estimate.hpp"
#include "run/prepared_study.hpp"
#include "signals.hpp"
#include "support/error.hpp"
#include "support/parallel_for.hpp"

namespace bellwether::python {

namespace py = pybind11;

namespace {

// ---- Running.

// Tells a Python function how far the work is, and asks Python whether a signal has come. Both are done by the thread
// that runs the study, which does not hold the interpreter meanwhile. An exception stops the work and is thrown after
// it.
class Conversation : public RunObserver {
public:
    explicit Conversation(py::object listener) : listener_(std::move(listener)) {}

    void phase(std::string_view name, double agent_steps) override {
        end_phase();
        name_ = name;
        total_ = agent_steps;
        told_ = -1;
        tell(0);
    }
    void progress(double agent_steps_of_phase) override { tell(agent_steps_of_phase); }
    void end_phase() { tell(total_); }

    bool should_stop() {
        const py::gil_scoped_acquire acquired;
        if (!error_ && PyErr_CheckSignals() != 0) error_ = std::make_exception_ptr(py::error_already_set());
        return error_ != nullptr;
    }
    void throw_if_stopped() const {
        if (error_) std::rethrow_exception(error_);
    }

private:
    void tell(double done) {
        if (listener_.is_none() || error_ || total_ == 0 || done == told_) return;
        told_ = done;
        const py::gil_scoped_acquire acquired;
        try {
            listener_(name_, done, total_);
        } catch (...) {
            error_ = std::current_exception();
        }
    }

    py::object listener_;
    std::string name_;
    double total_ = 0, told_ = -1;
    std::exception_ptr error_;
};

std::string run_study_file(const std::string& file, const std::string& directory, std::optional<std::size_t> threads,
                           std::optional<std::size_t> instances, std::optional<std::size_t> runs,
                           const std::vector<std::string>& settings, const std::string& reading, bool record,
                           const std::optional<std::string>& isa, const std::string& device_name,
                           const py::object& progress) {
    Conversation conversation(progress);
    DeviceNotices notices;
    std::string results;
    {
        const py::gil_scoped_release released;
        const InstructionSet& instruction_set = require_instruction_set("isa", isa.value_or(""));
        const std::unique_ptr<Device> device =
            open_device("device", device_name, {.beside = &instruction_set, .notice = notices.listener()});
        const PreparedStudy prepared = prepare_study({.file = file,
                                                      .directory = directory,
                                                      .instances = instances,
                                                      .runs = runs,
                                                      .settings = settings,
                                                      .reading = reading},
                                                     "settings");
        refuse_too_large(prepared.study, prepared.settings, threads.value_or(usable_cores()), record);
        results = prepared.directory.string();
        Store store = create_store(prepared);
        const RunReport report = run_prepared(prepared, store,
                                              {.instruction_set = &instruction_set,
                                               .device = device.get(),
                                               .threads = threads.value_or(usable_cores()),
                                               .record = record,
                                               .should_stop = [&] { return conversation.should_stop() ? SIGINT : 0; }},
                                              conversation);
        if (!report.stopped) conversation.end_phase();
    }
    conversation.throw_if_stopped();
    notices.warn();
    return results;
}

// ---- Figures, as dictionaries.

py::dict as_dict(const Axis& axis) {
    py::list tics;
    for (const AxisTic& tic : axis.tics) tics.append(py::make_tuple(tic.at, tic.label));
    py::dict dict;
    dict["low"] = axis.low;
    dict["high"] = axis.high;
    dict["logarithm"] = axis.logarithm;
    dict["title"] = axis.title;
    dict["tics"] = tics;
    return dict;
}

py::dict as_dict(const FigureLine& line) {
    std::vector<double> x, y, error;
    for (const FigurePoint& point : line.points) {
        x.push_back(point.x);
        y.push_back(point.y);
        error.push_back(point.error);
    }
    py::dict dict;
    dict["algorithm"] = line.key;  // what tells lines of an overview apart
    dict["x"] = take_array(std::move(x));
    dict["y"] = take_array(std::move(y));
    dict["error"] = take_array(std::move(error));
    dict["chosen"] = line.chosen;
    dict["on_edge"] = line.on_edge;
    return dict;
}

py::dict as_dict(const Panel& panel) {
    py::list lines;
    for (const FigureLine& line : panel.lines) lines.append(as_dict(line));
    py::dict dict;
    dict["title"] = panel.title;
    dict["x"] = as_dict(panel.x);
    dict["curves"] = panel.kind == PanelKind::curves;
    dict["lines"] = lines;
    return dict;
}

py::dict as_dict(const PanelRow& row) {
    py::list panels;
    for (const Panel& panel : row.panels) panels.append(as_dict(panel));
    py::dict dict;
    dict["title"] = row.title;
    dict["note"] = row.note;
    dict["y"] = as_dict(row.y);
    dict["initial_error"] = row.level ? std::optional(row.level->at) : std::nullopt;
    dict["panels"] = panels;
    return dict;
}

py::dict as_dict(const FigureModel& figure) {
    py::list legend, rows;
    for (const LegendEntry& entry : figure.legend) legend.append(py::make_tuple(entry.key, entry.name));
    for (const PanelRow& row : figure.rows) rows.append(as_dict(row));
    py::dict dict;
    dict["id"] = figure.id;
    dict["title"] = figure.title;
    dict["caption"] = figure.caption;
    dict["legend"] = legend;
    dict["rows"] = rows;
    return dict;
}

// ---- Results.

template <class Things, class Name>
std::size_t require(const Things& things, const std::string& wanted, const std::string& what, Name name) {
    std::vector<std::string> known;
    for (const auto& thing : things) known.emplace_back(name(thing));
    const auto found = std::find(known.begin(), known.end(), wanted);
    if (found != known.end()) return static_cast<std::size_t>(found - known.begin());
    const std::string nearest = did_you_mean(wanted, known);
    throw UsageError(fmt::format("{} '{}'{}", what, wanted,
                                 nearest.empty() ? fmt::format("; there is {}", fmt::join(known, ", ")) : nearest));
}

class StoredResults {
public:
    explicit StoredResults(const std::string& directory)
        : directory_(directory), study_(stored_study(Store::open(directory_))) {}

    const Study& study() const { return study_; }

    bool is_complete() const {
        const Store store = Store::open(directory_);
        return pending_units(study_, &store, all_settings(study_)).empty();
    }

    py::dict exported(bool curves, bool by_instance, bool by_question) const {
        ColumnReader reader;
        export_to(curves, by_instance, by_question, [&](std::string_view text) { reader.add(text); });
        return to_arrays(reader.take());
    }

    py::capsule arrow_stream(bool curves, bool by_instance, bool by_question) const {
        ColumnReader reader;
        std::vector<Columns> batches;
        export_to(curves, by_instance, by_question, [&](std::string_view text) {
            reader.add(text);
            if (reader.rows() >= rows_of_batch) batches.push_back(reader.take());
        });
        batches.push_back(reader.take());
        return to_arrow_stream(batches);
    }

    py::dict table(const std::string& name) {
        ColumnReader reader;
        {
            const py::gil_scoped_release released;
            const std::vector<NamedTable> tables = make_tables(findings(), {}, nullptr, {});
            const std::size_t place =
                require(tables, name, "there is no table", [](const NamedTable& t) { return t.name; });
            reader.add(tables[place].table.csv());
        }
        return to_arrays(reader.take());
    }

    std::vector<std::string> left_out() {
        const py::gil_scoped_release released;
        return findings().left_out;
    }

    py::list settings() const {
        py::list all;
        for (const Setting& setting : study_.settings) {
            const DomainRequest* request = setting.problem.request();
            const FiniteMdp mdp = setting.problem.make(study_.seed, 0, 0);
            std::vector<std::string> metrics, algorithms;
            for (const ScoredMetric& scored : setting.metrics) metrics.push_back(scored.id());
            for (const AlgorithmGrid& grid : setting.algorithms) algorithms.emplace_back(grid.info->id);
            py::dict one;
            one["setting"] = setting.id;
            one["title"] = setting.title;
            one["problem"] = request ? std::string(request->info->id) : mdp.name();
            one["features"] = request ? std::string(request->features) : std::string();
            one["policy"] = mdp.on_policy() ? "on" : "off";
            one["dimension"] = mdp.dimension();
            one["steps"] = setting.steps;
            one["episodes"] = setting.episodes;
            one["every"] = setting.every;
            one["scored_steps"] = setting.metrics.front().scored;
            one["instances"] = setting.instances;
            one["runs"] = setting.runs;
            one["fresh_runs"] = setting.record ? setting.fresh_runs : 0;
            one["configurations"] = setting.configurations();
            one["metrics"] = metrics;
            one["algorithms"] = algorithms;
            all.append(one);
        }
        return all;
    }

    std::size_t setting_number(const std::string& id) const {
        return require(study_.settings, id, "the study has no setting", [](const Setting& s) { return s.id; });
    }
    std::size_t metric_number(std::size_t setting, const std::optional<std::string>& id) const {
        const Setting& of = study_.settings[setting];
        if (!id) return 0;
        return require(of.metrics, *id, fmt::format("setting '{}' has no metric", of.id),
                       [](const ScoredMetric& m) { return m.id(); });
    }

    // By algorithm: the score of every run of its best configuration, runs × instances.
    py::dict run_scores(const std::string& setting_id, const std::optional<std::string>& metric_id, bool fresh) const {
        const std::size_t setting = setting_number(setting_id), metric = metric_number(setting, metric_id);
        const Stage stage = fresh ? fresh_stage(study_.settings[setting]) : Stage::selection;
        const Store store = Store::open(directory_);
        const std::size_t instances = stored_instances(store, study_)[setting];
        const std::size_t wanted[]{setting};
        py::dict result;
        for (const BestConfiguration& best : best_configurations(store, study_, wanted)) {
            if (best.metric != metric) continue;
            const std::vector<Recording> recordings = recordings_of(store, best, stage, instances);
            std::size_t runs = recordings.empty() ? 0 : recordings.front().scores.size();
            for (const Recording& recording : recordings) runs = std::min(runs, recording.scores.size());
            if (runs == 0)
                throw UsageError(fmt::format("nothing was recorded on {} runs of setting '{}'",
                                             fresh ? "fresh" : "the selection's", setting_id));
            py::array_t<double> scores({runs, instances});
            auto to = scores.mutable_unchecked<2>();
            for (py::ssize_t r = 0; r < to.shape(0); ++r)
                for (py::ssize_t i = 0; i < to.shape(1); ++i)
                    to(r, i) = recordings[static_cast<std::size_t>(i)].scores[static_cast<std::size_t>(r)];
            result[py::str(study_.settings[setting].algorithms[best.algorithm].info->id)] = scores;
        }
        if (result.empty()) throw UsageError(fmt::format("setting '{}' has no results yet", setting_id));
        return result;
    }

    // Overviews; the other kinds are drawn by reports alone.
    std::vector<std::string> figure_ids() const {
        std::vector<std::string> ids;
        for (const Figure& figure : study_.figures)
            if (figure.kind == FigureKind::overview) ids.push_back(figure.id);
        return ids;
    }

    // None where there is nothing to show.
    py::object figure(const std::string& id) {
        const Figure& wanted =
            study_
                .figures[require(study_.figures, id, "the study has no figure", [](const Figure& f) { return f.id; })];
        if (wanted.kind != FigureKind::overview)
            throw UsageError(fmt::format("figure '{}' is of the kind that 'bellwether report' alone draws", id));
        return draw(wanted);
    }
    py::object figure_of(const std::string& setting_id, const std::optional<std::string>& metric_id, bool frozen) {
        const std::size_t setting = setting_number(setting_id);
        return draw({.id = setting_id, .title = "", .rows = {{setting, metric_number(setting, metric_id)}}},
                    frozen ? SensitivityView::frozen : SensitivityView::reselected);
    }

private:
    void export_to(bool curves, bool by_instance, bool by_question, const TextSink& write) const {
        const py::gil_scoped_release released;
        const Store store = Store::open(directory_);
        SignalWatch signals;
        const auto exported_by = curves ? export_curves : by_question ? export_questions : export_scores;
        exported_by(store, study_, by_instance, [&](std::string_view text) {
            write(text);
            signals.ask();
        });
    }

    py::object draw(const Figure& figure, SensitivityView view = SensitivityView::reselected) {
        std::optional<FigureModel> model;
        {
            const py::gil_scoped_release released;
            model = overview_figure(findings(), figure, view);
        }
        if (!model) return py::none();
        return as_dict(*model);
    }

    // Found once, since intervals take time, and by another thread, so that Ctrl-C need not wait for them. To be called
    // without the interpreter.
    const Findings& findings() {
        {
            const std::lock_guard lock(mutex_);
            if (!findings_.valid())
                findings_ =
                    std::async(std::launch::async, [this] { return find_all(Store::open(directory_), study_); });
        }
        while (findings_.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready) {
            const py::gil_scoped_acquire acquired;
            if (PyErr_CheckSignals() != 0) throw py::error_already_set();
        }
        return findings_.get();
    }

    std::string directory_;
    Study study_;
    std::mutex mutex_;
    std::shared_future<Findings> findings_;  // last: its thread ends before the rest goes
};

void bind_results(py::module_& module) {
    py::class_<StoredResults>(module, "_StoredResults", "What a study's directory has.")
        .def(py::init<const std::string&>(), py::arg("directory"))
        .def_property_readonly(
            "name", [](const StoredResults& r) { return r.study().name; }, "The study's name.")
        .def_property_readonly(
            "text", [](const StoredResults& r) { return r.study().text; }, "The study file.")
        .def_property_readonly(
            "parameters",
            [](const StoredResults& r) {
                const auto names = r.study().parameter_names();
                return std::vector<std::string>(names.begin(), names.end());
            },
            "The parameters of its algorithms.")
        .def("is_complete", &StoredResults::is_complete, "Whether every run is there.")
        .def("exported", &StoredResults::exported, py::arg("curves"), py::arg("by_instance"),
             py::arg("by_question") = false, "Columns of an export.")
        .def("arrow_stream", &StoredResults::arrow_stream, py::arg("curves"), py::arg("by_instance"),
             py::arg("by_question") = false, "An export as a capsule with a stream of Arrow.")
        .def("table", &StoredResults::table, py::arg("name"), "Columns of a report's table.")
        .def("left_out", &StoredResults::left_out, "Settings that lack results of some configurations.")
        .def("settings", &StoredResults::settings, "What each setting is.")
        .def("run_scores", &StoredResults::run_scores, py::arg("setting"), py::arg("metric"), py::arg("fresh"),
             "By algorithm, the score of every run: runs × instances.")
        .def("figure_ids", &StoredResults::figure_ids, "The figures of the study.")
        .def("figure", &StoredResults::figure, py::arg("id"), "A figure of the study, or None.")
        .def("figure_of", &StoredResults::figure_of, py::arg("setting"), py::arg("metric"), py::arg("frozen") = false,
             "The figure of one setting and metric, or None.");
}

}  // namespace

void bind_study(py::module_& module) {
    bind_results(module);
    module.def("_run_study", run_study_file, py::arg("file"), py::arg("directory"), py::arg("threads"),
               py::arg("instances"), py::arg("runs"), py::arg("settings"), py::arg("reading"), py::arg("record"),
               py::arg("isa"), py::arg("device"), py::arg("progress"),
               "Runs what is missing of a study; returns where its results are.");
    module.def(
        "_style_of",
        [](const std::string& algorithm) {
            const LineStyle style = style_of(algorithm);
            py::dict dict;
            dict["light"] = py::str(style.light);
            dict["dark"] = py::str(style.dark);
            dict["dash"] = py::str(style.dash);
            dict["point"] = style.point;
            return dict;
        },
        py::arg("algorithm"), "How an algorithm looks in figures.");
    module.def("_parameter_symbol", &parameter_symbol, py::arg("name"), "The symbol of a parameter, as α of alpha.");
}

}  // namespace bellwether::python
