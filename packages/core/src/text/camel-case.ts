// Acronym, capitalised or lower-case word, leftover capitals, letters without case, digits.
const words = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lu}+|[\p{Lo}\p{Lm}]+|\d+/gu

/**
 * Returns the name by which code imports a library, like lodash `camelCase`: `my Library-2` → `myLibrary2`. Accents and
 * apostrophes are removed. Source: packages/docs/behaviour/user-code.md#libraries.
 */
export function camelCase(name: string): string {
  const plain = name.normalize('NFD').replace(/[\p{Mn}'\u2019]/gu, '')
  return (plain.match(words) ?? [])
    .map((word, i) => (i === 0 ? '' : word.charAt(0).toUpperCase()) + word.slice(i === 0 ? 0 : 1).toLowerCase())
    .join('')
}
