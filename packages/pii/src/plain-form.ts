/** Forms of characters that Unicode does not count as compatible with them, though they look alike. */
const lookAlikes = new Map(
  (
    [
      ['.', '。｡․⸱·∙'],
      ['/', '⁄∕'],
      ['-', '−⁃ー‧'],
      [':', '∶ː꞉'],
      ['+', '➕'],
    ] as const
  ).flatMap(([plain, forms]) => [...forms].map((form): [number, string] => [form.codePointAt(0) ?? 0, plain])),
)

/** Characters that were looked up, so that Unicode's tables are asked once for each. */
const known = new Map<number, string>()
/** More than a text of one language has. */
const knownMax = 5_000

/** Returns what a character that is not ASCII reads as: ASCII where there is such a form, nothing when it is not shown. */
export function plainForm(code: number): string {
  const found = known.get(code)
  if (found !== undefined) return found
  if (known.size >= knownMax) known.clear()
  const form = lookUp(code)
  known.set(code, form)
  return form
}

function lookUp(code: number): string {
  const character = String.fromCodePoint(code)
  // Soft hyphens, zero-width spaces and joiners, marks of direction, variation selectors.
  if (/\p{Default_Ignorable_Code_Point}/u.test(character)) return ''
  const alike = lookAlikes.get(code)
  if (alike !== undefined) return alike
  if (/\p{Zs}/u.test(character)) return ' '
  if (/\p{Pd}/u.test(character)) return '-'
  const compatible = character.normalize('NFKC')
  if (compatible !== character && /^[\0-\x7f]+$/.test(compatible)) return compatible
  return /\p{Nd}/u.test(character) ? String(digitOf(code)) : character
}

/** Digits of one script follow each other from 0 to 9. */
function digitOf(code: number): number {
  let zero = code
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  return (code - zero) % 10
}
