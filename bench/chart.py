# SPDX-License-Identifier: Apache-2.0
"""A picture of a comparison: for each number of threads, time of every system as a share of the best peer's, by model."""
import sys

# A bar above this is cut and its value written on it.
HIGHEST = 2.5
COLOURS = {"jumar": "#c62828", "jumar-avx2": "#ef9a9a", "onnxruntime": "#1565c0", "openvino": "#6a1b9a", "ncnn": "#2e7d32",
           "torch": "#bdbdbd", "torch.compile": "#757575"}


def draw(report, path):
    """Writes a PNG of a report of compare.py. Without matplotlib it says so and writes nothing."""
    try:
        import matplotlib
        matplotlib.use("Agg")
        import matplotlib.pyplot as plot
    except ImportError:
        print("no chart: matplotlib cannot be imported", file=sys.stderr)
        return
    rows = [r for r in report["rows"] if r["ratio"]]
    if not rows:
        print("no chart: nothing was compared with a peer", file=sys.stderr)
        return
    threads = sorted({r["threads"] for r in rows})
    models = list(dict.fromkeys(r["model"] for r in rows))
    systems = [s for s in COLOURS if any(r["system"] == s for r in rows)]
    figure, panels = plot.subplots(len(threads), 1, figsize=(max(7, 1.6 * len(models) + 2), 3.4 * len(threads)), squeeze=False,
                                   layout="constrained")
    width = 0.86 / len(systems)
    for panel, count in zip(panels[:, 0], threads):
        for k, system in enumerate(systems):
            ratios = {r["model"]: r["ratio"] for r in rows if r["threads"] == count and r["system"] == system}
            places = [i + (k - (len(systems) - 1) / 2) * width for i, m in enumerate(models) if m in ratios]
            values = [ratios[m] for m in models if m in ratios]
            panel.bar(places, [min(v, HIGHEST) for v in values], width * 0.92, color=COLOURS[system], label=system)
            for x, value in zip(places, values):
                if system.startswith("jumar") or value > HIGHEST:
                    panel.text(x, min(value, HIGHEST) + 0.03, f"{value:.2f}", ha="center", va="bottom", fontsize=7, rotation=90)
        panel.axhline(1, color="black", linewidth=0.8)
        panel.set_xticks(range(len(models)), models)
        panel.set_ylim(0, HIGHEST + 0.4)
        panel.set_ylabel("time / best peer's")
        panel.set_title(f"{count} thread{'s' if count > 1 else ''}: lower is faster", loc="left", fontsize=10)
        panel.spines[["top", "right"]].set_visible(False)
    handles, labels = panels[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, ncols=len(systems), fontsize=8, frameon=False, loc="outside lower center")
    figure.suptitle(f"{report['machine']['cpu']}, {report['rounds']} interleaved rounds, medians, f32", fontsize=10, x=0.01,
                    ha="left")
    figure.savefig(path, dpi=130)
