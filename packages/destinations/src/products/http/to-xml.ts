import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'

/**
 * Writes an object as an XML document: members are elements, a list repeats its element, there are no attributes.
 * Characters that XML does not allow in names are replaced by `_`; an element without content is one tag (`<context/>`).
 *
 * Source: recorded behaviour of RudderStack's http destination (form of the document); XML 1.0, 2.3 (names) and 2.4
 * (escapes).
 */
export function toXml(rootName: string, value: JsonObject): string {
  return `<?xml version="1.0" encoding="UTF-8"?>${element(rootName, value)}`
}

function element(name: string, value: JsonValue | undefined): string {
  if (Array.isArray(value)) return value.map((each: JsonValue) => element(name, each)).join('')
  const tag = name.replace(/[^\p{L}\p{N}._-]/gu, '_').replace(/^(?=[^\p{L}_])/u, '_')
  const inner = content(value)
  return inner === '' ? `<${tag}/>` : `<${tag}>${inner}</${tag}>`
}

function content(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return ''
  if (isJsonObject(value)) {
    return Object.entries(value)
      .map(([name, member]) => element(name, member))
      .join('')
  }
  return String(value)
    .replace(/[<>&'"]/g, (character) => escapes[character] ?? character)
    .replace(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
}

const escapes: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  "'": '&apos;',
  '"': '&quot;',
}
