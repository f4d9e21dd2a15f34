import lodashCamelCase from '#inlined/lodash-camel-case'

/**
 * Returns the name by which code imports a library: `my Library-2` → `myLibrary2`. It is lodash's camel case, because
 * RudderStack's is: ordinals such as `2nd` are words, `ß` is `ss`, and accents and apostrophes are removed. Source:
 * packages/docs/behaviour/user-code.md#libraries.
 */
export function camelCase(name: string): string {
  return lodashCamelCase(name)
}
