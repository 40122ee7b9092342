/** The colours of chart series, as people see them who miss one kind of cone: every two stay apart, in both themes. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const css = readFileSync(join(import.meta.dirname, "../../app/globals.css"), "utf8");
type Triple = [number, number, number];
const dot = ([a, b, c]: Triple, [x, y, z]: Triple) => a * x + b * y + c * z;

/** OKLCH -> linear sRGB (CSS Color 4). */
function linear([lightness, chroma, hue]: Triple): Triple {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const cone: Triple = [
    (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3,
    (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3,
    (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3,
  ];
  const rows: Triple[] = [
    [4.0767416621, -3.3077115913, 0.2309699292],
    [-1.2684380046, 2.6097574011, -0.3413193965],
    [-0.0041960863, -0.7034186147, 1.707614701],
  ];
  return each(rows, (row) => Math.min(1, Math.max(0, dot(row, cone))));
}

/** Linear sRGB -> OKLab. */
function lab(rgb: Triple): Triple {
  const cones: Triple[] = [
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
  ];
  const roots = each(cones, (row) => Math.cbrt(dot(row, rgb)));
  const rows: Triple[] = [
    [0.2104542553, 0.793617785, -0.0040720468],
    [1.9779984951, -2.428592205, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.808675766],
  ];
  return each(rows, (row) => dot(row, roots));
}

function each(rows: Triple[], value: (row: Triple) => number): Triple {
  const [a = 0, b = 0, c = 0] = rows.map(value);
  return [a, b, c];
}

/** Machado, Oliveira and Fernandes 2009, severity 1, over linear sRGB. */
const VISION: Record<string, Triple[]> = {
  full: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** Slot -> OKLCH, of one rule of the style sheet. */
function slots(selector: string): [string, Triple][] {
  const from = css.indexOf(`\n${selector} {`);
  const rule = css.slice(from, css.indexOf("\n}", from));
  return [...rule.matchAll(/--chart-([a-z]): oklch\(([\d.]+) ([\d.]+) ([\d.]+)\);/g)].map(([, name = "", l, c, h]) => [
    name,
    [Number(l), Number(c), Number(h)],
  ]);
}

/** A step that is seen at a glance between two areas; just noticeable is 0.02. */
const APART = 0.08;

describe.each([":root", ".dark"])("series of charts in %s", (selector) => {
  it.each(Object.keys(VISION))("every two can be told apart with %s vision", (vision) => {
    const all = slots(selector);
    expect(all).toHaveLength(6);
    const seen = all.map(([name, colour]) => {
      const rgb = linear(colour);
      return [name, lab(each(VISION[vision] ?? [], (row) => Math.min(1, Math.max(0, dot(row, rgb)))))] as const;
    });
    const close = seen.flatMap(([name, a], i) =>
      seen.slice(0, i).flatMap(([other, b]) => {
        const apart = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
        return apart < APART ? [`${name} and ${other}: ${apart.toFixed(3)}`] : [];
      }),
    );
    expect(close).toEqual([]);
  });
});
