/** What is asked for; "" is no condition. */
export interface Asked {
  q: string;
  tool: string;
  model: string;
  person: string;
  status: string;
  agent: string;
  min_cost: string;
  from: string;
  to: string;
}
export const NOTHING_ASKED: Asked = {
  q: "",
  tool: "",
  model: "",
  person: "",
  status: "",
  agent: "",
  min_cost: "",
  from: "",
  to: "",
};
export const FILTERS = [
  "tool",
  "status",
  "model",
  "person",
  "agent",
  "min_cost",
  "from",
  "to",
] as const satisfies (keyof Asked)[];

export const isAsked = (asked: Asked): boolean => Object.values(asked).some((value) => value.trim() !== "");

export function queryOf(asked: Asked): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(asked)) if (value.trim() !== "") params.set(key, value.trim());
  return params.toString();
}
