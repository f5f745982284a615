"""The figures as a table and as JSON."""

import json
import os
import platform

from trials import machine_description, say


class Table:
    """A table that prints each row as soon as it is measured."""

    def __init__(self):
        self.lines = []
        self.results = []
        self.say(f"{'':<49} {'median':>10} {'5th':>10} {'95th':>10} {'':<5} {'rounds':>6}  {'ratio':<20} goal")

    def say(self, line):
        self.lines.append(line.rstrip())
        say(self.lines[-1])

    def add(self, result):
        self.results.append(result)
        for number, program in enumerate(result["programs"]):
            self.say(f"{result['title'] if number == 0 else '':<36} {line(result, program)}")
        if result["note"]:
            self.say(f"{'':<36} {result['note']}")

    def finish(self):
        goals = [result for result in self.results if result["goal"]]
        missed = [result["row"] for result in goals if not result["goal"]["met"]]
        if goals:
            names = f"; missed: {', '.join(missed)}" if missed else ""
            self.say(f"{len(goals) - len(missed)} of {len(goals)} goals met{names}")
        if not all(result["goal"]["sure"] for result in goals):
            self.say("?: the goal lies within the 90 % confidence interval of the ratio")
        self.say(f"{machine_description()}; load {os.getloadavg()[0]:.1f}")

    def write_json(self, path):
        machine = {"machine": platform.machine(), "cores": os.cpu_count(), "kernel": platform.release(),
                   "load": os.getloadavg()[0]}
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"v": 3, "machine": machine, "rows": self.results}, file, indent=2)
            file.write("\n")


def line(result, program):
    figures, ratio, goal = result["programs"][program], result["ratios"].get(program), result["goal"]
    ratio_text = f"{ratio['median']:.3f} ({ratio['low']:.3f}-{ratio['high']:.3f})" if ratio else ""
    text = (
        f"{program:<12} {figures['median']:>10.3f} {figures['low']:>10.3f} {figures['high']:>10.3f}"
        f" {result['unit']:<5} {result['rounds']:>6}  {ratio_text:<20}")
    if goal and (goal["against"] or next(iter(result["programs"]))) == program:
        kind = "" if goal["figure"] == "median" else "95th "
        verdict = ("met" if goal["met"] else "MISSED") + ("" if goal["sure"] else "?")
        text += f" {kind}<= {goal['at_most']:g}: {verdict}"
    return text
