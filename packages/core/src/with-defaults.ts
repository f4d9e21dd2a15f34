/**
 * Fills in what options leave out. A member that is given as undefined counts as left out, which a spread would keep.
 * @returns an object with every member of `defaults`, and what `options` has beside them.
 */
export function withDefaults<Defaults extends object, Options extends object>(
  defaults: Defaults,
  options: Options | undefined,
): WithDefaults<Defaults, Options> {
  const given = Object.entries(options ?? {}).filter(([, value]) => value !== undefined)
  return { ...defaults, ...Object.fromEntries(given) } as WithDefaults<Defaults, Options>
}

type WithDefaults<Defaults, Options> = Omit<Options, keyof Defaults> & Defaults
