/**
 * Returns a copy of an object without the members that are undefined, for JSON and for options where absence is seen. A member
 * that is undefined also removes one of the same name that was spread before it: list the spread last, or make it conditional.
 * @example
 * ```ts
 * import { defined } from '@sluice/core/defined'
 *
 * console.log(defined({ email: 'ann@a.test', phone: undefined })) // { email: 'ann@a.test' }
 * ```
 */
export function defined<Members extends object>(members: Members): Defined<Members> {
  const kept: Record<string, unknown> = {}
  for (const key of Object.keys(members)) {
    const value = members[key as keyof Members]
    if (value !== undefined) kept[key] = value
  }
  return kept as Defined<Members>
}

/** The same members; those that can be undefined are optional. */
export type Defined<Members> = {
  [Key in keyof Members as undefined extends Members[Key] ? never : Key]: Members[Key]
} & {
  [Key in keyof Members as undefined extends Members[Key] ? Key : never]?: Exclude<Members[Key], undefined>
}
