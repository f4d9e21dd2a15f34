/** How names are made of keys and event names. */
export type Casing = 'default' | 'divided' | 'blendo'

const token = /[0-9]+(?:[A-Z][a-z]+|[A-Z]+|[a-z]+)?|(?:[A-Z]+(?![a-z])|[A-Z][a-z]+|[a-z]+)[0-9]*/g

/** As `words` of lodash for ASCII: digits stand alone, ordinals stay whole. */
const dividedToken =
  /[A-Z]?[a-z]+(?=[^A-Za-z0-9]|[A-Z]|$)|[A-Z]+(?=[^A-Za-z0-9]|[A-Z][a-z]|$)|[A-Z]?[a-z]+|[A-Z]+|\d*(?:1ST|2ND|3RD|(?![123])\dTH)(?=\b|[a-z_])|\d*(?:1st|2nd|3rd|(?![123])\dth)(?=\b|[A-Z_])|\d+/g

/** Characters of a key path or of the name of an event that count. Products allow names of at most a few hundred. */
export const nameTextMax = 2_000

/**
 * Returns the name of a table or column in lower case, empty when nothing of the text can be part of a name.
 * Source: packages/docs/behaviour/warehouses.md#names.
 * @param text a key path joined by `_`, or the name of an event.
 */
export function cleanName(text: string, casing: Casing): string {
  const cut = text.length > nameTextMax ? text.slice(0, nameTextMax) : text
  if (casing === 'blendo') return blendoName(cut)
  const underscores = leadingUnderscores(cut)
  const words = casing === 'divided' ? cut.replaceAll(/[^A-Za-z0-9]/g, '_').match(dividedToken) : cut.match(token)
  const name = underscores + (words ?? []).join('_').toLowerCase()
  return /^[0-9]/.test(name) ? `_${name}` : name
}

function leadingUnderscores(text: string): string {
  let end = 0
  while (text[end] === '_') end += 1
  return text.slice(0, end)
}

/** Keeps every character that is allowed, without a break between words. */
function blendoName(text: string): string {
  const name = text.toLowerCase().replaceAll(/[^a-z0-9$_]/g, '_')
  return /^[0-9$]/.test(name) ? `_${name}` : name
}
