/** The tokens of app/globals.css, measured: WCAG contrast of the pairs that components use, in both themes. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const css = readFileSync(join(import.meta.dirname, "../../app/globals.css"), "utf8");

/** Linear sRGB of an OKLCH colour (CSS Color 4), each channel in 0…1. */
function linear(lightness: number, chroma: number, hue: number): number[] {
  const radians = (hue * Math.PI) / 180;
  const a = chroma * Math.cos(radians);
  const b = chroma * Math.sin(radians);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const channels = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  return channels.map((channel) => Math.min(1, Math.max(0, channel)));
}

function luminance([red = 0, green = 0, blue = 0]: number[]): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Token -> relative luminance, of one rule of the style sheet. */
function tokens(selector: string): Map<string, number> {
  const from = css.indexOf(`\n${selector} {`);
  const rule = css.slice(from, css.indexOf("\n}", from));
  const found = rule.matchAll(/--([a-z-]+): oklch\(([\d.]+) ([\d.]+) ([\d.]+)\);/g);
  return new Map(
    [...found].map(([, name = "", l, c, h]) => [name, luminance(linear(Number(l), Number(c), Number(h)))]),
  );
}

function contrast(a: number, b: number): number {
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

const SURFACES = ["page", "rail", "surface", "sunken", "hover"];
const TONES = ["good", "attention", "danger", "info"];

const on = (surfaces: string[], texts: string[]) => surfaces.flatMap((under) => texts.map((over) => [over, under]));
const TEXT = [
  ...on(SURFACES, ["ink", "dim", "faint", "accent-ink", ...TONES]),
  ...on(["press", "bubble", "accent-soft", ...TONES.map((tone) => `${tone}-soft`)], ["ink", "dim"]),
  ...on(["accent-soft"], ["accent-ink"]),
  ...TONES.map((tone) => [tone, `${tone}-soft`]),
  ...on(["accent", "accent-hover"], ["on-accent"]),
  ["page", "ink"],
  // Keywords in highlighted code.
  ...on(["page", "surface", "sunken"], ["trace-thinking"]),
];
const BARS = on(
  ["page", "surface", "sunken"],
  [
    ...["accent", "attention"],
    ...["thinking", "answer", "args", "waiting", "running"].map((kind) => `trace-${kind}`),
    ...["a", "b", "c", "d", "e", "f"].map((slot) => `chart-${slot}`),
  ],
);

describe.each([":root", ".dark"])("contrast of the tokens in %s", (selector) => {
  const luminances = tokens(selector);
  const failing = (pairs: string[][], least: number) =>
    pairs.flatMap(([over = "", under = ""]) => {
      const reached = contrast(luminances.get(over) ?? Number.NaN, luminances.get(under) ?? Number.NaN);
      return reached >= least ? [] : [`${over} on ${under}: ${reached.toFixed(2)}`];
    });

  it("text reaches 4.5:1", () => {
    expect(failing(TEXT, 4.5)).toEqual([]);
  });
  it("bars reach 3:1", () => {
    expect(failing(BARS, 3)).toEqual([]);
  });
});

it("measures as WCAG does: black on white is 21:1, #767676 on white 4.54:1", () => {
  expect(contrast(luminance(linear(0, 0, 0)), luminance(linear(1, 0, 0)))).toBeCloseTo(21, 1);
  expect(contrast(luminance(linear(0.5659, 0, 0)), luminance(linear(1, 0, 0)))).toBeCloseTo(4.54, 1);
});
