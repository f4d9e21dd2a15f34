/// <reference lib="es2024.string" />

/** Makes names that a language accepts, each another one. */
export interface SafeNames {
  /** Returns a name for a text, in `PascalCase` or `camelCase`. */
  next(text: string, form: 'Pascal' | 'camel'): string
}

/**
 * Creates names for one scope of a language.
 * @param reserved words that are no names there, and names that are taken.
 */
export function createSafeNames(reserved: ReadonlySet<string>): SafeNames {
  const used = new Set<string>()
  // Names that differ only in their case would be one file on some systems.
  const isFree = (name: string): boolean => !reserved.has(name) && !used.has(name.toLowerCase())
  return {
    next(text, form) {
      const plain = plainName(text, form)
      let name = plain
      for (let n = 2; !isFree(name); n += 1) name = `${plain}${n}`
      used.add(name.toLowerCase())
      return name
    },
  }
}

/**
 * `Order Completed` → `OrderCompleted`, `orderCompleted`. Letters of all alphabets stay, but for those that Kotlin cannot have;
 * a digit does not begin a name.
 */
function plainName(text: string, form: 'Pascal' | 'camel'): string {
  const words = text
    .toWellFormed()
    .normalize('NFC')
    // Words that were written together keep their borders.
    .replaceAll(/(\p{Ll}|\p{Nd})(\p{Lu})/gu, '$1 $2')
    .split(/(?:[^\p{L}\p{Nd}]|[\u{10000}-\u{10ffff}])+/u)
    .filter((word) => word !== '')
  const name = words
    .map((word, place) => (place === 0 && form === 'camel' ? word.toLowerCase() : capital(word)))
    .join('')
  if (name === '') return form === 'Pascal' ? 'Unnamed' : 'unnamed'
  return /^\p{Nd}/u.test(name) ? `${form === 'Pascal' ? 'N' : 'n'}${name}` : name
}

/** SKU stays SKU. */
function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}
