/** [English, Chinese]. `{name}` is replaced; "one|many" chooses by `count`. */
export type Words = Record<string, readonly [en: string, zh: string]>;
