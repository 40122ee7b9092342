/** What is being read: an element at the upper edge of the view, and where it stands in the content. */
export interface Anchor {
  /** From the smallest element to its block: one that React put something else in place of falls back to the next. */
  chain: readonly { element: Element; offset: number }[];
}

/** Elements that are read as one: nothing in them is an anchor of its own. */
const WHOLE = new Set(["P", "LI", "FIGURE", "TABLE", "BUTTON", "H1", "H2", "H3", "H4", "H5", "H6"]);
/** A wrapper less than this high holds nothing to be read. Pixels. */
const LOW = 2;

/** Blocks are found in the middle of the middle: there may be many. `null`: there are none. */
export function anchorAt(view: HTMLElement, inner: HTMLElement): Anchor | null {
  const { top: edge, height } = view.getBoundingClientRect();
  const blocks = inner.querySelectorAll("[data-task]");
  let [low, high] = [0, blocks.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    const block = blocks[middle];
    if (block && block.getBoundingClientRect().bottom > edge) high = middle;
    else low = middle + 1;
  }
  const block = blocks[low];
  if (!block) return null;
  const next = blocks[low + 1];
  const undrawn = block.childElementCount === 0 && next && next.getBoundingClientRect().top < edge + height;
  // A block that is cut by the edge and not drawn yet will change: the next one is what is read.
  return anchorOn(undrawn ? next : block, inner, edge);
}

/** The anchor in this block: its smallest element that reaches below the edge. */
export function anchorOn(block: Element, inner: HTMLElement, edge: number): Anchor {
  const origin = inner.getBoundingClientRect().top;
  const chain: { element: Element; offset: number }[] = [];
  for (let element: Element | undefined = block; element; element = childAt(element, edge)) {
    const { top } = element.getBoundingClientRect();
    chain.unshift({ element, offset: top - origin });
    if (top >= edge || WHOLE.has(element.tagName) || scrolls(element)) break;
  }
  return { chain };
}

/** What is in it moves by itself. */
function scrolls(element: Element): boolean {
  return element.scrollHeight > element.clientHeight + 1;
}

/** The first child that reaches below the edge. */
function childAt(element: Element, edge: number): Element | undefined {
  for (const child of element.children) {
    const { bottom, height } = child.getBoundingClientRect();
    if (bottom > edge && height >= LOW) return child;
  }
  return undefined;
}

/** How far what is read moved in the content since the anchor was taken, pixels. */
export function movedBy({ chain }: Anchor, inner: HTMLElement): number {
  const origin = inner.getBoundingClientRect().top;
  const found = chain.find(({ element }) => element.isConnected);
  return found ? found.element.getBoundingClientRect().top - origin - found.offset : 0;
}
