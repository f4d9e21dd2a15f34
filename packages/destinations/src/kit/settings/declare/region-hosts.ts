import { type TEnum, Type } from 'typebox'
import type { FieldWords } from './field.ts'

/** What a form shows for a region, and the address of the product's API there, without a slash at its end. */
type Region = readonly [title: string, host: string]

/** The regions of a product; see `regionHosts`. */
export interface RegionHosts<Name extends string> {
  /** The setting that chooses the region of an account. */
  readonly setting: TEnum<[Name, ...Name[]]>
  /** Returns the address of the API in a region; that of the first region when there is no such one. */
  hostOf(region: unknown): string
}

/**
 * Declares the regions of a product: the setting that chooses one, and the hosts.
 *
 * @param regions by the value of the setting, the most common one first.
 * @param words of the setting. Without a default, people have to choose.
 */
export function regionHosts<const Name extends string>(
  regions: Readonly<Record<Name, Region>>,
  words: FieldWords & { readonly default?: NoInfer<Name> },
): RegionHosts<Name> {
  const entries = Object.entries<Region>(regions)
  const hosts = new Map<unknown, string>(entries.map(([name, [, host]]) => [name, host]))
  const choices = Object.fromEntries(entries.map(([name, [title]]) => [name, title]))
  const [first = ''] = hosts.values()
  return {
    setting: Type.Enum(Object.keys(regions) as [Name, ...Name[]], { choices, ...words }),
    hostOf: (region) => hosts.get(region) ?? first,
  }
}
