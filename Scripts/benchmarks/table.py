"""The figures as a table, and as JSON."""

import json
import os
import platform

import field


class Table:
    """Shows each row when it is there."""

    def __init__(self):
        self.lines = []
        self.results = []
        self.say(f"{'':<49} {'median':>10} {'5th':>10} {'95th':>10} {'':<5} {'rounds':>6}  {'ratio':<20} goal")

    def say(self, line):
        self.lines.append(line.rstrip())
        field.say(self.lines[-1])

    def add(self, result):
        self.results.append(result)
        for number, program in enumerate(result["programs"]):
            self.say(f"{result['title'] if number == 0 else '':<36} {line(result, program)}")
        if result["note"]:
            self.say(f"{'':<36} {result['note']}")

    def end(self):
        goals = [result for result in self.results if result["goal"]]
        missed = [result["row"] for result in goals if not result["goal"]["held"]]
        if goals:
            told = f"; missed: {', '.join(missed)}" if missed else ""
            self.say(f"{len(goals) - len(missed)} of {len(goals)} goals held{told}")
        if not all(result["goal"]["sure"] for result in goals):
            self.say("?: the goal is within what the machine's noise makes of the ratio")
        self.say(f"{field.machine()}; load {os.getloadavg()[0]:.1f}")

    def write_json(self, path):
        machine = {"machine": platform.machine(), "cores": os.cpu_count(), "kernel": platform.release(),
                   "load": os.getloadavg()[0]}
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"v": 2, "machine": machine, "rows": self.results}, file, indent=2)
            file.write("\n")


def line(result, program):
    figures, ratio, goal = result["programs"][program], result["ratios"].get(program), result["goal"]
    told = f"{ratio['median']:.3f} ({ratio['low']:.3f}-{ratio['high']:.3f})" if ratio else ""
    text = (
        f"{program:<12} {figures['median']:>10.3f} {figures['low']:>10.3f} {figures['high']:>10.3f}"
        f" {result['unit']:<5} {result['rounds']:>6}  {told:<20}")
    if goal and (goal["against"] or next(iter(result["programs"]))) == program:
        kind = "" if goal["figure"] == "median" else "95th "
        verdict = ("held" if goal["held"] else "MISSED") + ("" if goal["sure"] else "?")
        text += f" {kind}<= {goal['at_most']:g}: {verdict}"
    return text
