import { expect, it } from "vitest";
import { composedText, readStaged, stage, unstage } from "./staged";

const model = { provider: "p", model_id: "m", label: "M" };

it("one destination: a model takes the place of an Agent, skills add up and go one by one", () => {
  const agent = stage({ goal: {} }, { agent: { id: "a", name: "A" } });
  expect(stage(agent, { model })).toEqual({ goal: {}, model });
  const skills = stage(stage({}, { skills: ["x"] }), { skills: ["y", "x"] });
  expect(skills.skills).toEqual(["x", "y"]);
  expect(unstage(skills, "skills", "x")).toEqual({ skills: ["y"] });
  expect(unstage({ skills: ["y"] }, "skills", "y")).toEqual({});
  expect(unstage({ model, goal: {} }, "model")).toEqual({ goal: {} });
});

it("FF 8: skills ride in a block before the text; an automatic line stands in for an empty one", () => {
  expect(composedText("do it", { skills: ["x", "y"] }, "")).toBe("[use_skills]\nskills: x, y\n[/use_skills]\n\ndo it");
  expect(composedText(" ", { skills: ["x"] }, "Please use: x.")).toMatch(/\n\nPlease use: x\.$/);
  expect(composedText("do it", { model }, "go on")).toBe("do it");
});

it("what the browser stored is read as far as it makes sense", () => {
  expect(readStaged(JSON.stringify({ model, skills: ["x"], goal: { budget: 5 } }))).toEqual({
    model,
    skills: ["x"],
    goal: { budget: 5 },
  });
  for (const bad of ["", "{", "null", '{"model":{}}', '{"skills":[1]}', '{"agent":"x"}']) {
    expect(readStaged(bad), bad).toEqual({});
  }
});
