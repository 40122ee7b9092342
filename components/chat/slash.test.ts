import { describe, expect, it } from "vitest";
import { matchCommands, slashToken, withoutToken } from "./slash";

/** `|` is the caret. */
const at = (marked: string) => {
  const caret = marked.indexOf("|");
  const text = marked.replace("|", "");
  const token = slashToken(text, caret);
  return token && { query: token.query, rest: withoutToken(text, token) };
};

describe("the slash token under the caret", () => {
  it("is found at any caret position behind white space; the rest of the text stays untouched", () => {
    expect(at("/|")).toEqual({ query: "", rest: "" });
    expect(at("/Mo|del")).toEqual({ query: "mo", rest: "" });
    expect(at("fix it /mo| please")).toEqual({ query: "mo", rest: "fix it  please" });
    expect(at("one\n/co|mpact\ntwo")).toEqual({ query: "co", rest: "one\n\ntwo" });
    expect(at("/模|型")).toEqual({ query: "模", rest: "" });
    expect(at("你好，/mo|")).toEqual({ query: "mo", rest: "你好，" });
  });
  it("is not seen in words, paths and behind its end", () => {
    for (const text of ["and/or|", "和/或|", "|/model", "/usr/b|in", "/us|r/bin", "/model |", "http://|x", "//|"]) {
      expect(at(text), text).toBeNull();
    }
  });
});

it("names that begin so come first, then names and titles that hold it", () => {
  const commands = ["compact", "model", "agent"].map((name) => ({
    name,
    title: name === "agent" ? "Hand over 移交" : name,
  }));
  const names = (query: string) => matchCommands(commands, query).map(({ name }) => name);
  expect(names("")).toEqual(["compact", "model", "agent"]);
  expect(names("mo")).toEqual(["model"]);
  expect(names("o")).toEqual(["compact", "model", "agent"]);
  expect(names("移交")).toEqual(["agent"]);
  expect(names("xyz")).toEqual([]);
});
