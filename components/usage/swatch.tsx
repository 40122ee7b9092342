import type { Look } from "./series";

const OVER = "color-mix(in oklab, var(--surface) 55%, transparent)";
const TEXTURES: Record<Look["texture"], string | undefined> = {
  plain: undefined,
  stripes: `repeating-linear-gradient(-45deg, ${OVER} 0 1px, transparent 1px 4px)`,
  back: `repeating-linear-gradient(45deg, ${OVER} 0 1px, transparent 1px 4px)`,
  rows: `repeating-linear-gradient(0deg, ${OVER} 0 1px, transparent 1px 4px)`,
  columns: `repeating-linear-gradient(90deg, ${OVER} 0 1px, transparent 1px 4px)`,
  dots: `radial-gradient(${OVER} 1px, transparent 1.2px)`,
};

/** The look of a series beside its name: as its bars, or as its line. */
export function Swatch({ look, line = false }: { look: Look; line?: boolean }) {
  if (line)
    return (
      <svg viewBox="0 0 18 8" className="h-2 w-4.5 shrink-0" aria-hidden="true">
        <path d="M0 4h18" strokeWidth="2" strokeDasharray={look.dash} fill="none" style={{ stroke: look.colour }} />
      </svg>
    );
  const style = {
    backgroundColor: look.colour,
    backgroundImage: TEXTURES[look.texture],
    backgroundSize: look.texture === "dots" ? "4px 4px" : undefined,
  };
  return <span aria-hidden="true" className="size-2.5 shrink-0 rounded-[2px]" style={style} />;
}
