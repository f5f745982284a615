"""The figures as a table, and as JSON."""

import json
import os
import platform


def show_head():
    print(f"{'':<49} {'median':>10} {'5th':>10} {'95th':>10} {'':<5} {'rounds':>6} {'ratio':>7}  goal", flush=True)


def show(result):
    goal = result["goal"]
    for number, (program, figures) in enumerate(result["programs"].items()):
        ratio = result["ratios"].get(program)
        line = (
            f"{result['title'] if number == 0 else '':<36} {program:<12} {figures['median']:>10.3f}"
            f" {figures['low']:>10.3f} {figures['high']:>10.3f} {result['unit']:<5} {result['rounds']:>6}"
            f" {'' if ratio is None else format(ratio, '.3f'):>7}")
        if goal and (goal["against"] or next(iter(result["programs"]))) == program:
            kind = "" if goal["figure"] == "median" else "95th "
            line += f"  {kind}<= {goal['at_most']:g}: {'held' if goal['held'] else 'MISSED'}"
        print(line.rstrip(), flush=True)
    if result["note"]:
        print(f"{'':<36} {result['note']}", flush=True)


def show_foot(results):
    goals = [result for result in results if result["goal"]]
    missed = [result["row"] for result in goals if not result["goal"]["held"]]
    if goals:
        told = f"; missed: {', '.join(missed)}" if missed else ""
        print(f"{len(goals) - len(missed)} of {len(goals)} goals held{told}")


def keep(path, results):
    machine = {"machine": platform.machine(), "cores": os.cpu_count(), "kernel": platform.release(),
               "load": os.getloadavg()[0]}
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"v": 2, "machine": machine, "rows": results}, file, indent=2)
        file.write("\n")
