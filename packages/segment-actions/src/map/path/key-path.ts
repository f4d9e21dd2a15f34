/** The keys from an event down to a value. Empty for the event itself. */
export type KeyPath = readonly string[]

/**
 * Parses a path as `@path` writes it: `$.properties.products[0].sku`, `context['user agent']`. A first `$.` is optional.
 * Any text is a path. Segment splits at dots, and at brackets beside a digit or a quotation mark; empty keys are left out.
 */
export function parseKeyPath(text: string): KeyPath {
  return parseKeys(text.replace('$.', ''))
}

/** Parses a path without `$.`, as placeholders of templates have it. */
export function parseKeys(text: string): KeyPath {
  return text
    .split(/\[(?=["'\d])|\.|(?<=["'\d])\]+/)
    .filter((key) => key !== '')
    .map((key) => key.replaceAll(/["']/g, ''))
}
