"""The figures as a table, and as JSON."""

import json
import os
import platform


def show_head():
    print(f"{'':<49} {'median':>10} {'5th':>10} {'95th':>10} {'':<5} {'rounds':>6}  {'ratio':<20} goal", flush=True)


def show(result):
    goal = result["goal"]
    for number, (program, figures) in enumerate(result["programs"].items()):
        ratio = result["ratios"].get(program)
        told = f"{ratio['median']:.3f} ({ratio['low']:.3f}-{ratio['high']:.3f})" if ratio else ""
        line = (
            f"{result['title'] if number == 0 else '':<36} {program:<12} {figures['median']:>10.3f}"
            f" {figures['low']:>10.3f} {figures['high']:>10.3f} {result['unit']:<5} {result['rounds']:>6}  {told:<20}")
        if goal and (goal["against"] or next(iter(result["programs"]))) == program:
            kind = "" if goal["figure"] == "median" else "95th "
            line += f" {kind}<= {goal['at_most']:g}: {'held' if goal['held'] else 'MISSED'}{'' if goal['sure'] else '?'}"
        print(line.rstrip(), flush=True)
    if result["note"]:
        print(f"{'':<36} {result['note']}", flush=True)


def show_foot(results):
    goals = [result for result in results if result["goal"]]
    missed = [result["row"] for result in goals if not result["goal"]["held"]]
    if goals:
        told = f"; missed: {', '.join(missed)}" if missed else ""
        print(f"{len(goals) - len(missed)} of {len(goals)} goals held{told}")
    if not all(result["goal"]["sure"] for result in goals):
        print("?: the goal is within what the machine's noise makes of the ratio")


def keep(path, results):
    machine = {"machine": platform.machine(), "cores": os.cpu_count(), "kernel": platform.release(),
               "load": os.getloadavg()[0]}
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"v": 2, "machine": machine, "rows": results}, file, indent=2)
        file.write("\n")
